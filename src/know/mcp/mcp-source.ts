/**
 * Tools of MCP servers as record queries: a client that only reads, through definitions that a person accepted and no others.
 * Never offers a server anything: no sampling, no roots, no elicitation. Never lets a word of a server reach a model that is not data.
 */
import type { RecordQuery, RecordSource } from "../../contract/connector.ts";
import type { FieldLabel } from "../../contract/context.ts";
import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson, type JsonObject } from "../../contract/json.ts";
import { mcpQuery, readMcpPins } from "../../contract/mcp.ts";
import type { Clock } from "../../contract/ports.ts";
import { systemClock } from "../../store/clock.ts";
import { sha256Digest } from "../../store/digest.ts";
import { checkPins, type DeclaredTool } from "./accepted.ts";
import { type McpShown, openReading, shownTools } from "./reading.ts";
import { checkServer, type McpServer } from "./server.ts";
import { openSession } from "./session.ts";

/** An MCP server, and the tools of it that are read. */
export interface McpSourceOptions {
  /** The name of the server in queries, policies and mcp-tools.json. */
  readonly name: string;
  readonly server: McpServer;
  /** The vault name of its credential, where it takes one. */
  readonly secret?: string;
  /** The project's mcp-tools.json. */
  readonly pins: unknown;
  readonly tools: Readonly<Record<string, McpToolUse>>;
  /** How long one read may take, in milliseconds, connecting and looking at the tools included; 8,000 unless told. */
  readonly timeoutMs?: number;
  readonly clock?: Pick<Clock, "monotonic">;
}

/** How one tool is read. */
export interface McpToolUse {
  /** Why it only reads, where the server does not say so itself. */
  readonly isRead?: string;
  /** Who can write each field of a row; a field that is left out is `third`. */
  readonly labels?: Readonly<Record<string, FieldLabel>>;
  /** What a person reads as the source. */
  readonly title?: string;
  /** The id of a row, without personal data; a digest of the row where it is left out. */
  readonly key?: (row: JsonObject) => string;
}

/** A record source that is an MCP server, as the commands see it that show and accept its tools. */
export interface McpSource extends RecordSource {
  readonly mcp: {
    readonly server: string;
    readonly tools: readonly DeclaredTool[];
    /** What the server shows now. Throws `record_unavailable`. */
    readonly look: (secret: string) => Promise<McpShown>;
  };
}

/**
 * Binds tools of an MCP server as record queries `mcp.<name>.<tool>`. They read nothing until a person has accepted their definitions
 * with `countersign mcp accept`. Throws `definition_invalid`.
 */
export function mcpSource({
  name,
  server,
  secret,
  tools,
  timeoutMs = 8_000,
  clock = systemClock,
  ...given
}: McpSourceOptions): McpSource {
  checkServer(name, server);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1) throw invalid("`timeoutMs` of an MCP server is whole milliseconds above 0");
  const pins = readMcpPins(given.pins);
  const declared = Object.entries(tools).map(([tool, { isRead }]) => ({ tool, isRead: isRead ?? null }));
  checkPins(pins, { server: name, tools: declared });
  const placeOf = (value: string) => ({
    ...{ name, server, timeoutMs },
    secret: secret === undefined ? null : { name: secret, value },
  });
  const toolOf = new Map(declared.map(({ tool }) => [mcpQuery({ server: name, tool }), tool]));
  return Object.freeze({
    connector: { name: `mcp.${name}`, side: "reads" as const, secret: secret ?? null },
    queries: Object.entries(tools).map(([tool, use]) => queryOf({ server: name, tool, use })),
    open: (value: string) => openReading({ place: placeOf(value), pins, toolOf, clock }),
    mcp: {
      server: name,
      tools: declared,
      look: async (value: string) => {
        const session = await openSession({ ...placeOf(value), onListChanged: () => {} });
        try {
          return shownTools(await session.tools(timeoutMs), secret === undefined ? null : value);
        } finally {
          await session.close();
        }
      },
    },
  });
}

/** Says whether a record source is an MCP server. */
export function isMcpSource(source: RecordSource): source is McpSource {
  return "mcp" in source;
}

function queryOf({ server, tool, use }: { server: string; tool: string; use: McpToolUse }): Omit<RecordQuery<never>, "run"> {
  return {
    name: mcpQuery({ server, tool }),
    title: use.title ?? `${tool} (${server})`,
    key: use.key ?? digestOfRow,
    labels: use.labels ?? {},
  };
}

function digestOfRow(row: JsonObject): string {
  return sha256Digest.sha256(canonicalJson(row)).slice(0, 16);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
