import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { type JsonObject, toFrozenJson } from "../../contract/json.ts";

/** Longest JSON text of the rows of one answer, in UTF-16 code units; a loop takes less still. */
const maxAnswerText = 256 * 1024;

const object = z.record(z.string(), z.unknown());
const answerForm = z.object({
  isError: z.boolean().nullish(),
  content: z.array(z.looseObject({ type: z.string(), text: z.unknown().optional() })).nullish(),
  structuredContent: object.nullish(),
});

/**
 * The rows of a tool's answer: the members of its one list, or the structured answer as one row, or else each text as a row `{ text }`.
 * Throws `record_unavailable` for an error of the tool, for anything but text, for too much of it, and where the credential stands in it.
 */
export function rowsOfAnswer(
  answer: unknown,
  { server, tool, secret }: { server: string; tool: string; secret: string | null },
): readonly JsonObject[] {
  const refused = (why: string) =>
    new CountersignError("record_unavailable", `tool \`${tool}\` of MCP server \`${server}\` ${why}`, {
      facts: { server, tool },
    });
  const parsed = answerForm.safeParse(answer);
  if (!parsed.success) throw refused("answered in a form that is none of the protocol's");
  const { isError, content, structuredContent } = parsed.data;
  if (isError === true) throw refused("answered with an error; its words are not kept");
  const blocks = content ?? [];
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  if (texts.length < blocks.length) throw refused("answered with something else than text, and only text is read");
  const rows = structuredContent == null ? texts.map((text) => ({ text })) : rowsOfStructure(structuredContent);
  const text = JSON.stringify(rows);
  if (text.length > maxAnswerText) throw refused(`answered with more than ${maxAnswerText} characters`);
  if (holds(text, secret)) throw refused("put its credential into an answer");
  return frozen(rows) ?? fail(refused("answered with text that cannot be kept"));
}

/** Says whether a credential stands in a JSON text, as it is or as JSON writes it. One that is as short as a word is not looked for. */
export function holds(text: string, secret: string | null): boolean {
  return secret !== null && secret.length >= 8 && (text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));
}

function rowsOfStructure(structure: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const members = Object.values(structure);
  const [only] = members;
  if (members.length !== 1 || !Array.isArray(only)) return [structure];
  return only.map((member: unknown) => object.safeParse(member).data ?? { value: member });
}

function frozen(rows: readonly Readonly<Record<string, unknown>>[]): readonly JsonObject[] | null {
  try {
    return rows.map((row) => toFrozenJson(row) as JsonObject); // a copy of an object is one
  } catch {
    return null;
  }
}

function fail(error: CountersignError): never {
  throw error;
}
