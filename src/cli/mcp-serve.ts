import { toolWithinMs } from "../server/mcp/mcp-server.ts";
import { serveMcp } from "../server/mcp/mcp-stdio.ts";
import { type ConnectionOptions, connect } from "./connection.ts";

/** Offers Countersign over MCP to whatever program started this one, for the caller whose key it is. */
export async function mcpServe(options: ConnectionOptions): Promise<void> {
  await serveMcp(await connect({ ...options, timeoutMs: toolWithinMs }));
}
