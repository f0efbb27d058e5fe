/** What the scripted model was sent, taken apart again: the request, and the sources as data. It knows nothing else. */
import type { JsonObject } from "countersign";
import type { ScriptedReply } from "countersign/testing";

/** What a script is asked with. */
export type Asked = Parameters<Exclude<ScriptedReply, string>>[0];

/** One source as it stands in a prompt. */
export type ShownSource = JsonObject & { readonly id: string };
/** A passage as it stands in a prompt. */
export interface ShownPassage {
  readonly id: string;
  readonly document: string;
  readonly section: string;
  readonly text: string;
}
/** A row of a system of record as it stands in a prompt. */
export interface ShownRow {
  readonly id: string;
  readonly row: JsonObject;
}

/** The request as it was sent: the first message. */
export function requestOf({ messages }: Asked): string {
  return messages.find(({ role }) => role === "user")?.text ?? "";
}

/** Every source that the messages show: each list of objects with ids that stands in them as JSON. */
export function sourcesOf({ messages }: Pick<Asked, "messages">): readonly ShownSource[] {
  return messages.slice(1).flatMap(({ role, text }) => (role === "user" ? sourcesIn(text) : []));
}

/** The sources in one message. */
export function sourcesIn(text: string): readonly ShownSource[] {
  const start = text.search(/^\[/m);
  const end = text.lastIndexOf("]");
  if (start === -1 || end < start) return [];
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return Array.isArray(value) ? value.filter(isSource) : [];
  } catch {
    return [];
  }
}

/** The passages among sources. */
export function passagesIn(sources: readonly ShownSource[]): readonly ShownPassage[] {
  return sources.flatMap(({ id, document, section, text }) =>
    typeof document === "string" && typeof section === "string" && typeof text === "string"
      ? [{ id, document, section, text }]
      : [],
  );
}

/** The rows among sources, of one record query. */
export function rowsIn(sources: readonly ShownSource[], query: string): readonly ShownRow[] {
  return sources.flatMap(({ id, row }) =>
    id.startsWith(`${query}:`) && typeof row === "object" && row !== null && !Array.isArray(row)
      ? [{ id, row: row as JsonObject }] // an object of a JSON value
      : [],
  );
}

/** What one of a list's members may be, as the schema of the reply says. Empty where it says nothing of it. */
export function allowedWords({ jsonSchema }: Pick<Asked, "jsonSchema">, field: string): readonly string[] {
  const properties = jsonSchema["properties"] as JsonObject | undefined; // an object schema, as every decision's is
  const allowed = (properties?.[field] as JsonObject | undefined)?.["enum"];
  return Array.isArray(allowed) ? allowed.filter((one) => typeof one === "string") : [];
}

function isSource(value: unknown): value is ShownSource {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
