import { CountersignError } from "../contract/errors.ts";
import type { McpPins } from "../contract/mcp.ts";
import { digestOfDefinition, whyNotRead } from "../know/mcp/accepted.ts";
import { type McpOptions, openMcpProject, writePins } from "./mcp-place.ts";
import { print } from "./print.ts";

/**
 * Accepts a tool of an MCP server as a person read it: writes its pin where the server still shows exactly what has that digest.
 * Throws `not_found` for a tool that the project does not read, and `tool_changed` where there is something else by now, or nothing.
 */
export async function mcpAccept(
  { server, tool }: { server: string; tool: string },
  { digest, ...options }: McpOptions & { readonly digest: string },
): Promise<void> {
  const { sources, look, pins } = await openMcpProject(options, server);
  const source = sources[0];
  const declared = source?.mcp.tools.find((one) => one.tool === tool);
  if (source === undefined || declared === undefined)
    throw new CountersignError("not_found", "decide.ts of this project reads through no tool of that name; name it there first");
  const shown = (await look(source)).get(tool) ?? null;
  if (shown === null || digestOfDefinition(shown) !== digest)
    throw new CountersignError(
      "tool_changed",
      `the server does not show what has that digest; look again with \`countersign mcp diff ${server}\``,
      { facts: { server, tool: declared.tool } },
    );
  const why = whyNotRead(shown, declared.isRead);
  if (why !== null) throw new CountersignError("forbidden", `tool \`${declared.tool}\` is not accepted: it ${why}`);
  const definition = { digest, definition: shown };
  const accepted: McpPins = { ...pins, servers: { ...pins.servers, [server]: { ...pins.servers[server], [tool]: definition } } };
  await writePins(options.project, accepted);
  print({
    json: options.json,
    value: { server, tool, digest },
    lines: [`accepted ${server} ${tool}; keep mcp-tools.json under version control, and start the decider anew`],
  });
}
