import { type McpDefinition, mcpPinOf } from "../contract/mcp.ts";
import { changesOf, type DeclaredTool, digestOfDefinition, whyNotRead } from "../know/mcp/accepted.ts";
import { definitionLines } from "./mcp-lines.ts";
import { type McpOptions, type McpProject, openMcpProject } from "./mcp-place.ts";
import { print } from "./print.ts";

interface ToolLook {
  readonly server: string;
  readonly tool: string;
  /** Members of the definition that differ, or why there is none; empty where it is the accepted one. */
  readonly changed: readonly string[];
  /** What is accepted with it; `null` where there is nothing to accept. */
  readonly digest: string | null;
  /** Why it may not be accepted. */
  readonly refused: string | null;
  readonly lines: readonly string[];
}

/** Shows, of the tools that a project reads through MCP servers, what differs from what was accepted: exit code 1 where something does. */
export async function mcpDiff(server: string | undefined, options: McpOptions): Promise<void> {
  const project = await openMcpProject(options, server);
  const looks: ToolLook[] = [];
  for (const source of project.sources) {
    const shown = await project.look(source);
    looks.push(
      ...source.mcp.tools.map((declared) =>
        lookAt({ server: source.mcp.server, declared, shown: shown.get(declared.tool), project }),
      ),
    );
  }
  const differing = looks.filter(({ changed }) => changed.length > 0);
  print({
    json: options.json,
    value: { tools: looks },
    lines: [
      ...differing.flatMap(linesOf),
      `${looks.length} tools of MCP servers, ${differing.length} differ from what was accepted`,
    ],
  });
  if (differing.length > 0) process.exitCode = 1;
}

function lookAt({
  server,
  declared,
  shown,
  project: { pins },
}: {
  server: string;
  declared: DeclaredTool;
  shown: McpDefinition | null | undefined;
  project: McpProject;
}): ToolLook {
  const { tool, isRead } = declared;
  const pin = mcpPinOf(pins, { server, tool });
  const changed = shown == null && pin === null ? [shown === null ? "unreadable" : "missing"] : changesOf(pin, shown);
  if (shown == null) return { server, tool, changed, digest: null, refused: null, lines: [] };
  const lines = changed.length === 0 ? [] : definitionLines(pin?.definition ?? null, shown);
  return { server, tool, changed, digest: digestOfDefinition(shown), refused: whyNotRead(shown, isRead), lines };
}

function linesOf({ server, tool, changed, digest, refused, lines }: ToolLook): readonly string[] {
  const next =
    digest === null
      ? "nothing can be accepted"
      : refused === null
        ? `to accept: countersign mcp accept ${server} ${tool} --digest ${digest}`
        : `cannot be accepted: it ${refused}`;
  return [`${server} ${tool}: ${changed.join(", ")}`, ...lines, `  ${next}`, ""];
}
