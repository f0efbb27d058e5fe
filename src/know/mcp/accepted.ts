import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson } from "../../contract/json.ts";
import { type McpDefinition, type McpPin, type McpPins, mcpClassOf, mcpDefinitionKeys, mcpPinOf } from "../../contract/mcp.ts";
import { sha256Digest } from "../../store/digest.ts";

/** The digest by which a definition is accepted: SHA-256 over its canonical JSON, in hex. */
export function digestOfDefinition(definition: McpDefinition): string {
  return sha256Digest.sha256(canonicalJson(definition));
}

/** What stands against a tool as the server shows it now; empty where it is the one that was accepted. Members of a definition by name. */
export function changesOf(pin: McpPin | null, shown: McpDefinition | null | undefined): readonly string[] {
  if (pin === null) return ["not accepted"];
  if (shown === undefined) return ["missing"];
  if (shown === null) return ["unreadable"];
  if (digestOfDefinition(shown) === pin.digest) return [];
  return mcpDefinitionKeys.filter((key) => canonicalJson(shown[key] ?? null) !== canonicalJson(pin.definition[key] ?? null));
}

/** The error for a tool that is not the one that was accepted. */
export function toolChanged({
  server,
  tool,
  changed,
}: {
  server: string;
  tool: string;
  changed: readonly string[];
}): CountersignError {
  const what = changed.map((key) => `\`${key}\``).join(", ");
  return new CountersignError(
    "tool_changed",
    `tool \`${tool}\` of MCP server \`${server}\` is not the one that was accepted (${what}); look at it with \`countersign mcp diff ${server}\``,
    { facts: { server, tool, changed } },
  );
}

/**
 * Checks the pins of the tools that a project declares of one server: each digest is that of its definition, and the tool only reads,
 * by its own word or, where it says nothing, by the author's. Throws `definition_invalid`.
 */
export function checkPins(pins: McpPins, { server, tools }: { server: string; tools: readonly DeclaredTool[] }): void {
  for (const { tool, isRead } of tools) {
    const named = `tool \`${tool}\` of MCP server \`${server}\``;
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(tool))
      throw invalid(`a tool of MCP server \`${server}\` has a name that the protocol does not have`);
    const pin = mcpPinOf(pins, { server, tool });
    if (pin === null) continue;
    if (digestOfDefinition(pin.definition) !== pin.digest || pin.definition.name !== tool)
      throw invalid(
        `the pin of ${named} was changed by hand; take mcp-tools.json back, or remove the pin and accept the tool again`,
      );
    const why = whyNotRead(pin.definition, isRead);
    if (why !== null) throw invalid(`${named} ${why}`);
  }
}

/** A tool that a project declares, and why the author says that it only reads. */
export interface DeclaredTool {
  readonly tool: string;
  readonly isRead: string | null;
}

/** Why a tool may not be used; `null` where it only reads. */
export function whyNotRead(definition: McpDefinition, isRead: string | null): string | null {
  const saysItself = mcpClassOf(definition);
  if (saysItself === "changes") return "may change something; only tools that read are used";
  if (saysItself === "reads" || (isRead ?? "").trim() !== "") return null;
  return "does not say that it only reads; where you know it, give the reason as `isRead`";
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
