import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { SpendGroup, SpendLine } from "../contract/spend.ts";
import { readBill } from "../guard/budget/read-bill.ts";
import { type Reconciled, reconcile } from "../guard/budget/reconcile.ts";
import { forecastMonth, type SpendRange, spendBy } from "../guard/budget/spend-report.ts";
import { leastRuns, suggestCaps } from "../guard/budget/suggest.ts";
import { systemClock } from "../store/clock.ts";
import { dayOf, moneyWords } from "./amounts.ts";
import { withOwner } from "./owner.ts";
import { print } from "./print.ts";

interface SpendOptions {
  readonly from?: string;
  readonly to?: string;
  readonly tenant?: string;
  readonly directory: string;
  readonly json?: true;
}

/** Adds up what was spent, and forecasts the month that runs. */
export async function spendReport({ by, ...options }: SpendOptions & { by: SpendGroup }): Promise<void> {
  const range = rangeOf(options);
  const { lines, forecast } = await withOwner(resolve(options.directory), async (adminUrl) => ({
    lines: await spendBy(adminUrl, by, range),
    forecast: await forecastMonth({
      now: systemClock.now(),
      spend: (month) => spendBy(adminUrl, by, { ...month, tenant: range.tenant }),
    }),
  }));
  const total = lines.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const { month, spentMicros, forecastMicros, elapsedPpm } = forecast;
  const share = `${Math.round(elapsedPpm / 10_000)} % of it is over`;
  print({
    json: options.json,
    value: { by, ...range, totalMicros: total, lines, forecast },
    lines: [
      ...lines.map(lineOf),
      `total ${moneyWords(total)}`,
      `${month}: ${moneyWords(spentMicros)} by now, about ${moneyWords(forecastMicros)} at its end (${share})`,
    ],
  });
}

/** Suggests caps from runs that have ended. */
export async function spendSuggest(options: SpendOptions): Promise<void> {
  const suggested = await withOwner(resolve(options.directory), (adminUrl) => suggestCaps(adminUrl, rangeOf(options)));
  const lines = suggested.map(
    ({ capability, runs, caps }) =>
      `${capability}: caps: { ${Object.entries(caps)
        .map(([cap, value]) => `${cap}: ${value}`)
        .join(", ")} }  (from ${runs} runs)`,
  );
  const none = `no capability has ${leastRuns} runs that ended in that time`;
  print({ json: options.json, value: { suggested }, lines: lines.length === 0 ? [none] : lines });
}

/** Compares a bill with the ledger: exit code 1 where they differ. */
export async function spendReconcile(
  file: string,
  { provider, tenant, directory, json }: { provider?: string; tenant?: string; directory: string; json?: true },
): Promise<void> {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new CountersignError("bad_request", "the bill's file cannot be read", { cause });
  });
  const { form, lines: bill } = readBill(text, provider ?? null);
  const found = await withOwner(resolve(directory), (adminUrl) => reconcile(adminUrl, bill, tenant ?? null));
  const differ = found.lines.filter(({ finding }) => finding !== "matches");
  print({
    json,
    value: { form, ...found },
    lines: [
      ...differ.map(gapOf),
      `billed ${moneyWords(found.billed)}, ledger ${moneyWords(found.ledger)}; of ${found.lines.length} days and models ${differ.length} differ`,
      ...(found.ofUnknownModels === 0
        ? []
        : [`of decisions that died with their process, models unknown: ${moneyWords(found.ofUnknownModels)}`]),
      `on the bill and not in the ledger ${moneyWords(found.notInTheLedger)}; in the ledger and not on the bill ${moneyWords(found.notOnTheBill)}; by price ${moneyWords(found.priceDifference)}`,
    ],
  });
  process.exitCode = differ.length === 0 ? 0 : 1;
}

function rangeOf({ from, to, tenant = null }: { from?: string; to?: string; tenant?: string | null }): SpendRange {
  const today = new Date(systemClock.now()).toISOString().slice(0, 10);
  const last = Date.parse(dayOf(to ?? today));
  if (from !== undefined && Date.parse(dayOf(from)) > last)
    throw new CountersignError("bad_request", "--from is a day after --to");
  return {
    from: dayOf(from ?? `${today.slice(0, 7)}-01`),
    before: new Date(last + 86_400_000).toISOString().slice(0, 10),
    tenant,
  };
}

function lineOf({ group, costMicros, decisions, attempts, refused, ...tokens }: SpendLine): string {
  const input = tokens.inputTokens + tokens.cachedTokens + tokens.cacheWriteTokens;
  const output = tokens.outputTokens + tokens.reasoningTokens;
  const more = `${refused === 0 ? "" : `, ${refused} refused`}${tokens.assumedMicros === 0 ? "" : `, ${moneyWords(tokens.assumedMicros)} of it assumed`}`;
  return `${group}: ${moneyWords(costMicros)} for ${decisions} decisions, ${attempts} requests, ${input} tokens in, ${output} out${more}`;
}

function gapOf({ day, model, billed, ledger, assumed, finding }: Reconciled): string {
  const words = {
    matches: "",
    not_on_the_bill: "not on the bill",
    not_in_the_ledger: "not in the ledger",
    price_differs: "price differs",
  };
  const guess = assumed === 0 ? "" : ` (${moneyWords(assumed)} of it assumed)`;
  return `${day} ${model}: billed ${moneyWords(billed)}, ledger ${moneyWords(ledger)}${guess}: ${words[finding]}`;
}
