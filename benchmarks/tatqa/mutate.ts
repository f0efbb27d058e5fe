import type { LoadedContext } from "../../src/contract/context.ts";
import type { Report } from "./read-set.ts";
import { evaluate } from "./score.ts";

/** What became of operands with one digit changed: refused as in no source, or let through; those that the report has elsewhere are set aside. */
export interface Changed {
  readonly refused: number;
  readonly letThrough: readonly string[];
  readonly inReport: number;
}

/**
 * Changes one digit of a number at a time, every digit once, and has each changed number calculated with as words of every source of the
 * report in turn. Whether the report holds the changed number elsewhere is asked of the raw text, not of the code that is tried.
 */
export function changeDigits({ written, report, context }: { written: string; report: Report; context: LoadedContext }): Changed {
  const raw = rawNumbers(report);
  const counts = { refused: 0, inReport: 0 };
  const letThrough: string[] = [];
  for (const changed of changedOf(written)) {
    if (raw.has(normal(changed))) counts.inReport += 1;
    else if (
      context.items.some(({ id }) => evaluate(`add("${changed}"@[${id}], "${changed}"@[${id}])`, context).kind === "value")
    )
      letThrough.push(changed);
    else counts.refused += 1;
  }
  return { ...counts, letThrough };
}

function changedOf(written: string): readonly string[] {
  return [...written].flatMap((digit, at) => {
    if (!/\d/.test(digit)) return [];
    // Never a zero in front, which would be another number of the same value or of fewer digits.
    const other = String((Number(digit) % 9) + 1);
    return [written.slice(0, at) + other + written.slice(at + 1)];
  });
}

function rawNumbers({ table, paragraphs }: Report): ReadonlySet<string> {
  const text = [...table.flat(), ...paragraphs.map((one) => one.text)].join(" \n ");
  return new Set((text.match(/\d[\d,]*(?:\.\d+)?|\.\d+/g) ?? []).map(normal));
}

/** Digits without groups, sign and trailing zeros, for comparing as texts. */
function normal(number: string): string {
  const plain = number
    .replaceAll(",", "")
    .replace(/^-/, "")
    .replace(/^0+(?=\d)/, "");
  return plain.includes(".") ? plain.replace(/0+$/, "").replace(/\.$/, "").replace(/^\./, "0.") : plain;
}
