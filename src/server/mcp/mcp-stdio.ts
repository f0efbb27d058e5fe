import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Client } from "../../client/index.ts";
import { makeMcpServer } from "./mcp-server.ts";

/** Answers MCP on stdin and stdout for one caller until stdin ends. Whatever else is to be said goes to stderr. */
export async function serveMcp(client: Client): Promise<void> {
  const handle = serveStdio(() => makeMcpServer(client));
  await new Promise((resolve) => process.stdin.once("close", resolve).once("end", resolve));
  await handle.close();
}
