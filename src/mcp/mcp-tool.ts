/**
 * Tools from MCP servers, as `project.ts` names them: a tool of a loop made of the definition that a person accepted, never of what
 * the server says today. Pure; the server itself is reached by `mcpSource` alone, in the deciding process.
 */
import { CountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { mcpClassOf, mcpPinOf, mcpQuery, readMcpPins } from "../contract/mcp.ts";
import type { Tool } from "../contract/tool.ts";
import { defineTool } from "../define/tool.ts";
import { jsonContract } from "../json-schema/json-contract.ts";

/** A tool of a server, and what of it is the author's own to say. */
export interface McpToolChoice {
  /** The project's mcp-tools.json. */
  readonly pins: unknown;
  readonly server: string;
  readonly tool: string;
  /** The name that the model calls it by, where the server's does not fit: lower-case letters, digits and `_`. */
  readonly name?: string;
  /** What the model is shown in place of the accepted description. */
  readonly description?: string;
  /** What each argument is for, where plans may use the tool. */
  readonly argRules?: NonNullable<Tool["argRules"]>;
}

/**
 * Makes a tool of a loop of an accepted definition: its arguments fit the accepted schema, checked by our own validator, and are the
 * params of the record query `mcp.<server>.<tool>`. Throws `definition_invalid` for a tool that nobody accepted, or that may change something.
 * @example
 * const definition = { name: "search", description: "Searches tickets.", inputSchema: { type: "object" } };
 * const pins = { version: 1, servers: { tracker: { search: { digest: "0".repeat(64), definition } } } };
 * const search = mcpTool({ pins, server: "tracker", tool: "search" });
 */
export function mcpTool({ pins, server, tool, name = tool, description, argRules }: McpToolChoice): Tool {
  const named = `tool \`${tool}\` of MCP server \`${server}\``;
  const definition = mcpPinOf(readMcpPins(pins), { server, tool })?.definition;
  if (definition === undefined) throw invalid(`${named} was never accepted; see \`countersign mcp diff ${server}\``);
  if (mcpClassOf(definition) === "changes") throw invalid(`${named} may change something; only tools that read are used`);
  return defineTool({
    name,
    description: description ?? definition.description ?? definition.title ?? "",
    sideEffect: "read",
    args: jsonContract(definition.inputSchema),
    // The arguments fit a schema of `type: object`, which `defineTool` asks for.
    need: (args) => ({ kind: "records", query: mcpQuery({ server, tool }), params: args as JsonObject, maxAgeMs: 0 }),
    ...(argRules === undefined ? {} : { argRules }),
  });
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
