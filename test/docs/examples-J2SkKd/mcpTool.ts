// mcp-tool.ts
import { mcpTool } from "../../../src/mcp/mcp-tool.ts";

export const told: [unknown, unknown][] = [];
const definition = { name: "search", description: "Searches tickets.", inputSchema: { type: "object" } };
const pins = { version: 1, servers: { tracker: { search: { digest: "0".repeat(64), definition } } } };
const search = mcpTool({ pins, server: "tracker", tool: "search" });

export type Shown = typeof mcpTool;
