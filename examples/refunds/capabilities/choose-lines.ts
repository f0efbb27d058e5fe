import { type Decided, type RecordRow, rowsOf } from "countersign";
import { z } from "zod";
import { type Band, bandOf } from "../bands.ts";
import { type Allowance, allowRefund, type LineRow, lineRow, refundReasons } from "./refund-rule.ts";
import type { Request } from "./request.ts";
import { resolveAmounts, resolveLines } from "./resolve-refund.ts";

/** What the model may say: which lines, why, whether policy allows it, and the passage that says so. Never an amount, never an account. */
export const choice = z.strictObject({
  order: z.string().regex(/^ord-\d{4}$/),
  lines: z.array(z.int().min(1).max(999)).min(1).max(20),
  reason: z.enum(refundReasons),
  eligible: z.boolean(),
  policy: z.string().min(1).max(200),
  note: z.string().min(1).max(300),
  confidence: z.int().min(0).max(100),
});
export type Choice = z.infer<typeof choice>;
/** A choice with the request and what was loaded for it. */
export type Choosing = Decided<Request, Choice>;

/** A line with the record that it stands in. */
export interface KnownLine extends LineRow {
  readonly source: RecordRow;
}

/** One line that is to be refunded, how much of it, and who picked line and amount. */
export interface ChosenLine {
  readonly line: KnownLine;
  readonly amountMinor: number;
  readonly isStated: boolean;
  readonly chosenBy: "code" | "model";
}

/** The lines that the decision names with their amounts; `null` where one is not there, or an amount cannot be fixed. */
export function chosenLines(decided: Choosing): readonly ChosenLine[] | null {
  const wanted = new Set(decided.decision.lines);
  const found = knownLines(decided).filter(({ line }) => wanted.has(line));
  if (found.length !== decided.decision.lines.length) return null;
  const chosenBy = isNamed(decided, wanted) ? "code" : "model";
  return resolveAmounts(decided.inputs.text, found)?.map((one) => ({ ...one, chosenBy })) ?? null;
}

/** The order's lines as the record holds them; a row of another form is none. */
function knownLines({ context }: Pick<Choosing, "context">): readonly KnownLine[] {
  return rowsOf(context, "line").flatMap((source) => {
    const parsed = lineRow.safeParse(source.row);
    return parsed.success ? [{ ...parsed.data, source }] : [];
  });
}

/** The lines that the request itself names, or `null`. */
export function namedLines(decided: Choosing): ReadonlySet<number> | null {
  const named = resolveLines(decided.inputs.text, knownLines(decided));
  return named === null ? null : new Set(named.map(({ line }) => line));
}

function isNamed(decided: Choosing, wanted: ReadonlySet<number>): boolean {
  const named = namedLines(decided);
  return named !== null && named.size === wanted.size && [...wanted].every((line) => named.has(line));
}

/** What the refund policy says of the chosen lines together: the first that it refuses speaks for all. */
export function allowanceOf({ decision: { reason }, envelope }: Choosing, lines: readonly ChosenLine[]): Allowance {
  const each = lines.map(({ line }) => allowRefund({ line, reason, at: envelope.at }));
  const none: Allowance = { allowed: false, rule: "no_line", because: "There is no line to rule on." };
  return each.find(({ allowed }) => !allowed) ?? each[0] ?? none;
}

/** What a decision refunds in all, or `null` for lines of two currencies. */
export function totalOf(lines: readonly ChosenLine[]): { minor: number; currency: LineRow["currency"] } | null {
  const [first] = lines;
  if (first === undefined || lines.some(({ line }) => line.currency !== first.line.currency)) return null;
  return { minor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0), currency: first.line.currency };
}

/** The slice of a decision: the band of its total, so that many small lines are no small refund. */
export function sliceOf(decided: Choosing): Band | "unknown" {
  const total = totalOf(chosenLines(decided) ?? []);
  return total === null ? "unknown" : bandOf(total);
}
