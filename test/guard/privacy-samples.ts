import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { neverCancelled } from "../../src/contract/cancel.ts";
import type { Json } from "../../src/contract/json.ts";
import type { StandInKey } from "../../src/contract/ports.ts";
import type { DataClass, Finding, Recogniser } from "../../src/contract/privacy.ts";
import { type Boundary, type BoundaryParts, openBoundary } from "../../src/guard/privacy/boundary.ts";
import { readPrivacyPolicy } from "../../src/guard/privacy/policy.ts";

/** A key of fresh random bytes, or of given ones where a test wants the same stand-ins each time. */
export function newKey(bytes: string | Uint8Array = randomBytes(32)): StandInKey {
  const key = createSecretKey(Buffer.from(bytes));
  return { mac: (text) => createHmac("sha256", key).update(text).digest() };
}

const forms: readonly { readonly class: DataClass; readonly form: RegExp }[] = [
  { class: "email", form: /[\w.+%]+@[\w-]+(?:\.[\w-]+)+/g },
  { class: "iban", form: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g },
  { class: "card", form: /(?<![\d.])\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}(?!\d)/g },
  { class: "national_id", form: /(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)/g },
  { class: "birth_date", form: /(?<!\d)(?:\d{2}\.\d{2}\.19\d{2}|19\d{2}-\d{2}-\d{2})(?!\d)/g },
  { class: "phone", form: /(?:\+\d{1,3} ?|\()\d{2,4}\)?[ -]\d{3}[ -]?\d{2,4}(?!\d)/g },
  { class: "ip", form: /(?<![\d.])10\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.])/g },
  { class: "mac", form: /\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\b/gi },
  { class: "passport", form: /\b[A-Z]\d{2}[A-Z]\d{2}[A-Z]\d{2}\b/g },
  { class: "secret", form: /\bsk-[A-Za-z0-9]{16,}\b/g },
];

/** A small finder of real forms, enough for what stands behind it. */
export function findForms(text: string): readonly Finding[] {
  const found = forms.flatMap(({ class: of, form }) =>
    [...text.matchAll(form)].map((match): Finding => {
      const [value] = match;
      const canonical =
        of === "email" || of === "mac" ? value.toLowerCase() : value.replaceAll(/[^A-Za-z0-9]/g, "").toUpperCase();
      return { start: match.index, end: match.index + value.length, class: of, kind: of, jurisdiction: null, canonical };
    }),
  );
  return found;
}

/** Finds names of a list between borders of words, whatever their case; says for each what it is. */
export function recogniserOf(names: readonly string[], of: DataClass = "person"): Recogniser {
  const quoted = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+"));
  const search = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${quoted.sort((a, b) => b.length - a.length).join("|")})(?![\\p{L}\\p{N}])`,
    "giu",
  );
  const findIn = (text: string): readonly Finding[] =>
    names.length === 0
      ? []
      : [...text.matchAll(search)].map(({ 0: value, index }) => {
          const canonical = value.toLowerCase().replaceAll(/\s+/g, " ");
          return { start: index, end: index + value.length, class: of, kind: "name", jurisdiction: null, canonical };
        });
  return { name: "list", version: "1", find: async (texts) => texts.map(findIn) };
}

/** A boundary with the small finder under the shipped rules, except where something else is given. */
export function openTestBoundary(parts: Partial<BoundaryParts> & { readonly names?: readonly string[] } = {}): Boundary {
  const { names = [], ...others } = parts;
  return openBoundary({
    rules: readPrivacyPolicy(null).rules,
    region: "elsewhere",
    key: newKey(),
    structured: findForms,
    recogniser: recogniserOf(names),
    ...others,
  });
}

/** Encodes one text. */
export async function encodeText(boundary: Boundary, text: string): Promise<string> {
  return (await boundary.encode([text], neverCancelled)).payload[0] ?? "";
}

/** The text that a decoded reply holds. Throws where it was altered. */
export function wholeText(boundary: Boundary, text: string): string {
  const decoded = boundary.decodeText(text);
  if (decoded.kind === "altered") throw new Error(decoded.problem);
  return decoded.value;
}

/** What a payload is after it went out and came back. Throws where it was altered. */
export async function roundTrip(boundary: Boundary, payload: { readonly [key: string]: Json }): Promise<Json> {
  const { payload: sent } = await boundary.encode(payload, neverCancelled);
  const decoded = boundary.decodeJson(JSON.parse(JSON.stringify(sent)) as Json);
  if (decoded.kind === "altered") throw new Error(decoded.problem);
  return decoded.value;
}
