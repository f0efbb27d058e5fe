import { z } from "zod";
import { CountersignError } from "./errors.ts";
import { type JsonObject, toFrozenJson } from "./json.ts";

/** Longest text that a server may say of one of its tools, in UTF-16 code units. */
const maxText = 20_000;

const object = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
const definitionForm = z.strictObject({
  name: z.string().min(1).max(128),
  title: z.string().max(maxText).exactOptional(),
  description: z.string().max(maxText).exactOptional(),
  inputSchema: object,
  outputSchema: object.exactOptional(),
  annotations: object.exactOptional(),
});
const pinForm = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/), definition: definitionForm });
const pinsForm = z.strictObject({
  version: z.literal(1),
  servers: z.record(z.string(), z.record(z.string(), pinForm)),
});

/** What an MCP server says of one of its tools, as far as a model or a person is told of it. */
export type McpDefinition = z.infer<typeof definitionForm>;
/** A definition that a person accepted, with SHA-256 over its canonical JSON in hex. */
export type McpPin = z.infer<typeof pinForm>;
/** The accepted definitions of a project, by server and tool: what `mcp-tools.json` holds. */
export type McpPins = z.infer<typeof pinsForm>;

/** The members of a definition, in the order in which people are shown them. */
export const mcpDefinitionKeys = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** Reads what a server says of a tool, whatever else it says beside it; `null` where that is no definition. Never throws. */
export function readMcpDefinition(said: unknown): McpDefinition | null {
  if (typeof said !== "object" || said === null) return null;
  const members = Object.entries(said).filter(([key, member]) => member !== null && mcpDefinitionKeys.some((one) => one === key));
  try {
    // The copy is plain JSON, or is refused.
    return definitionForm.parse(toFrozenJson(Object.fromEntries(members)));
  } catch {
    return null;
  }
}

/** Reads the pins of a project. Throws `definition_invalid` for what has not their form. */
export function readMcpPins(pins: unknown): McpPins {
  const parsed = pinsForm.safeParse(pins);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.map(String).join("/") ?? "";
  throw new CountersignError(
    "definition_invalid",
    `the pins of MCP tools cannot be read at \`/${where.slice(0, 200)}\`; \`countersign mcp accept\` writes them to mcp-tools.json`,
  );
}

/** The pin of a tool; `null` where nobody accepted it. */
export function mcpPinOf(pins: McpPins, { server, tool }: { server: string; tool: string }): McpPin | null {
  const tools = Object.hasOwn(pins.servers, server) ? pins.servers[server] : undefined;
  return (tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? null;
}

/** The record query that a tool of an MCP server is read by. */
export function mcpQuery({ server, tool }: { server: string; tool: string }): string {
  return `mcp.${server}.${tool}`;
}

/**
 * What a server says of what its tool changes: that it only reads, nothing, or that it may change something. A hint of another form
 * than the protocol's counts as the last.
 */
export function mcpClassOf({ annotations = {} }: McpDefinition): "reads" | "unsaid" | "changes" {
  const { readOnlyHint, destructiveHint } = annotations;
  const changes =
    (readOnlyHint !== undefined && readOnlyHint !== true) || (destructiveHint !== undefined && destructiveHint !== false);
  if (changes) return "changes";
  return readOnlyHint === true ? "reads" : "unsaid";
}
