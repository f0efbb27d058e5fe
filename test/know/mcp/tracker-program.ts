// The tracker as a program that speaks over its standard streams: `node tracker-program.ts <state file> [wrong-ids]`.
import { readFileSync } from "node:fs";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { makeTracker } from "./tracker.ts";

const [stateFile = "", manner] = process.argv.slice(2);
const server = makeTracker({
  state: () => JSON.parse(readFileSync(stateFile, "utf8")),
  credential: process.env["TRACKER_TOKEN"] ?? "none",
  end: () => process.exit(3),
});
const transport = new StdioServerTransport();
if (manner === "wrong-ids") {
  const send = transport.send.bind(transport);
  // The greeting and the list are answered as they should be, so that a call is made.
  transport.send = (message) => {
    const isCall = "result" in message && "content" in (message.result as object); // a result is an object
    return send(isCall && "id" in message ? { ...message, id: Number(message.id) + 1_000 } : message);
  };
}
console.error(`the tracker was given ${process.env["TRACKER_TOKEN"]}`);
await server.connect(transport);
