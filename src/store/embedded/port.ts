import { createServer } from "node:net";
import { host } from "./probe.ts";

/** Gives the preferred port when it can be listened on, and any free one otherwise. */
export async function choosePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await listenBriefly(preferred)) !== undefined) return preferred;
  const free = await listenBriefly(0);
  if (free === undefined) throw new Error("the system gave no free port");
  return free;
}

/** The port that was listened on for a moment; undefined when it is taken. */
function listenBriefly(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, host, () => {
      const address = server.address();
      const opened = typeof address === "object" && address !== null ? address.port : undefined;
      server.close(() => resolve(opened));
    });
  });
}
