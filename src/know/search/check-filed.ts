import { CountersignError } from "../../contract/errors.ts";
import { isKeepableText } from "../../contract/json.ts";
import { documentStatuses, type FiledDocument, type FiledPassage } from "../../contract/knowledge.ts";
import { idPattern, limits } from "../../contract/limits.ts";

/** Refuses what cannot be filed, by a sentence that names the document: `bad_request`, `bad_text` or `too_large`. */
export function checkFiled({ document, passages }: { document: FiledDocument; passages: readonly FiledPassage[] }): void {
  const { id, version, collection, status, supersededBy, validFrom, validTo, contentHash, metadata } = document;
  if (!idPattern.test(id))
    throw refused("a document", "has an id that is none; use lower-case letters, digits and `.`, `_`, `-`");
  const named = `document \`${id}\``;
  if (!/^[0-9A-Za-z.-]{1,40}$/.test(version)) throw refused(named, "needs a version of letters, digits, `.` and `-`, at most 40");
  if (!idPattern.test(collection)) throw refused(named, "names a collection that has not the form of an id");
  if (!documentStatuses.includes(status)) throw refused(named, "has an unknown status");
  if (supersededBy !== null && status !== "superseded") throw refused(named, "is superseded by a version and has another status");
  if (![validFrom, validTo ?? validFrom].every((instant) => Math.abs(instant) <= 8.64e15))
    throw refused(named, "is in force from or to no instant");
  if (validTo !== null && validTo <= validFrom) throw refused(named, "ends before it begins");
  if (!/^[0-9a-f]{64}$/.test(contentHash)) throw refused(named, "needs the SHA-256 of its content in hex");
  checkScopes(named, document.scopes);
  const texts = [document.title, document.owner, document.source ?? "", supersededBy ?? "", ...Object.entries(metadata).flat()];
  if (!texts.every(isText)) throw unkeepable(named);
  checkPassages(named, passages);
}

/** Refuses labels that are no texts. */
export function checkScopes(named: string, scopes: readonly string[]): void {
  if (!Array.isArray(scopes)) throw refused(named, "does not say who may see it; an empty list is nobody");
  if (!scopes.every((label) => isText(label) && label !== "")) throw unkeepable(named);
}

function checkPassages(named: string, passages: readonly FiledPassage[]): void {
  if (passages.length === 0) throw refused(named, "has no passage");
  if (passages.length > limits.passagesOfDocument)
    throw new CountersignError("too_large", `${named} has more than ${limits.passagesOfDocument} passages; file it in parts`);
  for (const { text, contextLine = "", sectionPath, page, from, to } of passages) {
    if (![text, contextLine, ...sectionPath].every(isText)) throw unkeepable(named);
    if (page !== null && !(Number.isInteger(page) && page > 0)) throw refused(named, "has a passage on a page that is none");
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from)
      throw refused(named, "has a passage that stands nowhere in its text");
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && isKeepableText(value);
}

function refused(named: string, why: string): CountersignError {
  return new CountersignError("bad_request", `${named} ${why}`);
}

function unkeepable(named: string): CountersignError {
  return new CountersignError("bad_text", `${named} holds NUL, a lone surrogate, or something that is no text`);
}
