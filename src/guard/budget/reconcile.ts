import { parseModelName } from "../../contract/model-name.ts";
import { asOwner } from "../../store/owner.ts";
import type { BillLine } from "./read-bill.ts";

/** What the bill and the ledger say of one day and model, in millionths. */
export interface Reconciled {
  readonly day: string;
  readonly model: string;
  readonly billed: number;
  readonly ledger: number;
  /** Of the ledger, what was assumed: the provider had not said, or a process died. */
  readonly assumed: number;
  /** `matches` within a thousandth and a cent; else on which side the gap is. */
  readonly finding: "matches" | "not_on_the_bill" | "not_in_the_ledger" | "price_differs";
}

/** Both sides with their sums. */
export interface Reconciliation {
  readonly lines: readonly Reconciled[];
  readonly billed: number;
  readonly ledger: number;
  /** What was billed and is not in the ledger, by lines of that finding; and the other way round. */
  readonly notInTheLedger: number;
  readonly notOnTheBill: number;
  readonly priceDifference: number;
  /** Of the ledger, what decisions that died with their process had reserved: of which models, nobody knows, so it may be behind a gap. */
  readonly ofUnknownModels: number;
}

/** Compares a bill with the spend ledger by day and model, over the days from the bill's first to its last. Scripts are not billed. */
export async function reconcile(adminUrl: string, bill: readonly BillLine[], tenant: string | null): Promise<Reconciliation> {
  const days = bill.map(({ day }) => day).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return compare(bill, []);
  return compare(
    bill,
    await ledgerLines(adminUrl, { first, last, tenant, models: new Set(bill.map(({ model }) => providerOf(model))) }),
  );
}

interface LedgerLine extends BillLine {
  readonly assumed: number;
}

async function ledgerLines(
  adminUrl: string,
  { first, last, tenant, models }: { first: string; last: string; tenant: string | null; models: ReadonlySet<string> },
): Promise<readonly LedgerLine[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<LedgerLine>(
      `select to_char(to_timestamp(ts / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') as day, model, sum(cost_micros)::float8 as micros,
         coalesce(sum(cost_micros) filter (where assumed), 0)::float8 as assumed
       from spend where ts >= $1 and ts < $2 and ($3::text is null or tenant = $3) group by 1, 2`,
      [Date.parse(first), Date.parse(last) + 86_400_000, tenant],
    );
    // A bill of one provider says nothing of the others.
    return rows.filter(({ model }) => model === unknownModel || models.has(providerOf(model)));
  });
}

/** As the sweep writes it for a process that died. */
const unknownModel = "unknown";

function providerOf(booked: string): string {
  return parseModelName(booked)?.provider ?? "";
}

function compare(bill: readonly BillLine[], all: readonly LedgerLine[]): Reconciliation {
  const ledger = all.filter(({ model }) => model !== unknownModel);
  const keys = new Set([...bill, ...ledger].map(keyOf));
  const lines = [...keys].toSorted().map((key): Reconciled => {
    const [day = "", model = ""] = key.split("\n");
    const billed = sum(bill.filter((line) => keyOf(line) === key).map(({ micros }) => micros));
    const ours = ledger.filter((line) => keyOf(line) === key);
    const spent = sum(ours.map(({ micros }) => micros));
    const sides = { hasBill: bill.some((line) => keyOf(line) === key), hasLedger: ours.length > 0 };
    return {
      day,
      model,
      billed,
      ledger: spent,
      assumed: sum(ours.map(({ assumed }) => assumed)),
      finding: findingOf(billed, spent, sides),
    };
  });
  const of = (finding: Reconciled["finding"]) => lines.filter((line) => line.finding === finding);
  return {
    lines,
    billed: sum(lines.map(({ billed }) => billed)),
    ledger: sum(lines.map((line) => line.ledger)),
    notInTheLedger: sum(of("not_in_the_ledger").map(({ billed }) => billed)),
    notOnTheBill: sum(of("not_on_the_bill").map((line) => line.ledger)),
    priceDifference: sum(of("price_differs").map((line) => line.billed - line.ledger)),
    ofUnknownModels: sum(all.filter(({ model }) => model === unknownModel).map(({ micros }) => micros)),
  };
}

function findingOf(
  billed: number,
  spent: number,
  { hasBill, hasLedger }: { hasBill: boolean; hasLedger: boolean },
): Reconciled["finding"] {
  if (billed === 0 && spent === 0) return "matches";
  if (Math.abs(billed - spent) <= Math.max(10_000, Math.abs(billed) / 1_000) && hasBill === hasLedger) return "matches";
  if (!hasBill) return "not_on_the_bill";
  return hasLedger && spent !== 0 ? "price_differs" : "not_in_the_ledger";
}

function keyOf({ day, model }: { day: string; model: string }): string {
  return `${day}\n${model}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
