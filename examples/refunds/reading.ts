/** The scripted model's way with refunds: the lines and the reason that the request names, among what it was shown. It knows nothing else. */
import {
  type Asked,
  allowedWords,
  passagesIn,
  requestOf,
  rowsIn,
  type ShownRow,
  sourcesOf,
} from "../it-support/reading/sources.ts";
import { holdsWord } from "../it-support/reading/words.ts";

/** What each reason is said by, and the section of the policy that speaks of it. */
const reasons: Readonly<Record<string, { readonly says: RegExp; readonly section: RegExp }>> = {
  not_received: { says: /never (arrived|came)|not (arrived|received)|lost|hasn't/i, section: /received|arriv|lost/i },
  cancelled: { says: /cancell?ed/i, section: /cancel/i },
  changed_mind: { says: /changed (her|his|their) mind|not want|be generous/i, section: /mind/i },
  not_as_described: { says: /not as|wrong (colour|size|model|item)/i, section: /damaged|described/i },
  damaged: { says: /damaged|brok?e?n|defective|cracked|stopped|kaputt|smashed/i, section: /damaged|described/i },
};

/** A choice from what stands in the prompt. It says yes to whatever somebody asks for; whether that is right is not its to know. */
export function readRefund(asked: Asked): string {
  const text = requestOf(asked);
  const sources = sourcesOf(asked);
  const rows = rowsIn(sources, "orders.lines");
  const { lines, isSure } = linesIn(text, rows);
  const allowed = allowedWords(asked, "reason");
  const stated = allowed.find((word) => reasons[word]?.says.test(text));
  const reason = stated ?? allowed.at(0) ?? "unknown";
  const passage = passagesIn(sources).find(({ section }) => reasons[reason]?.section.test(section));
  return JSON.stringify({
    order: /\bord-\d{4}\b/i.exec(text)?.[0].toLowerCase() ?? "ord-0000",
    ...{ lines: lines.length > 0 ? lines : [1], reason, eligible: true, policy: passage?.id ?? "none" },
    note: `The request names ${lines.length} of ${rows.length} lines; the reason is "${reason}".`,
    confidence: isSure && stated !== undefined ? 96 : 20,
  });
}

/** By number, all of them, or by the words of a product; where that leaves a choice, the first, and it is not sure. */
function linesIn(text: string, rows: readonly ShownRow[]): { readonly lines: readonly number[]; readonly isSure: boolean } {
  const numbers = rows.map(({ row }) => Number(row["line"]));
  const [, numbered] = /\b(?:line|item) (\d+)\b/i.exec(text) ?? [];
  if (numbered !== undefined) return { lines: [Number(numbered)], isSure: numbers.includes(Number(numbered)) };
  if (/\b(everything|all of it|whole order)\b/i.test(text) || rows.length === 1) return { lines: numbers, isSure: true };
  const said = ({ row }: ShownRow): number =>
    String(row["product"])
      .split(" ")
      .filter((word) => word.length > 2 && holdsWord(text, word)).length;
  const most = Math.max(0, ...rows.map(said));
  const named = most === 0 ? [] : rows.filter((one) => said(one) === most);
  const isChoice = /\bone of the\b/i.test(text);
  const chosen = (isChoice || named.length === 0 ? rows.slice(0, 1) : named).map(({ row }) => Number(row["line"]));
  return { lines: chosen, isSure: named.length > 0 && !isChoice };
}
