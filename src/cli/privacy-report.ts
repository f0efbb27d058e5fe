import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { privacyReport as countSent, type SentBy } from "../ledger/privacy-report.ts";
import { systemClock } from "../store/clock.ts";
import { dayOf } from "./amounts.ts";
import { withOwner } from "./owner.ts";
import { print } from "./print.ts";

interface ReportOptions {
  readonly from?: string;
  readonly to?: string;
  readonly tenant?: string;
  readonly directory: string;
  readonly json?: true;
}

/** Tells what was sent to models, by capability and class of personal data, from the ledger's entries: counts and never a value. */
export async function privacyReport({ from, to, tenant, directory, json }: ReportOptions): Promise<void> {
  const today = new Date(systemClock.now()).toISOString().slice(0, 10);
  const last = Date.parse(dayOf(to ?? today));
  const range = {
    from: dayOf(from ?? `${today.slice(0, 7)}-01`),
    before: new Date(last + 86_400_000).toISOString().slice(0, 10),
    tenant: tenant ?? null,
  };
  if (Date.parse(range.from) > last) throw new CountersignError("bad_request", "--from is a day after --to");
  const capabilities = await withOwner(resolve(directory), (adminUrl) => countSent(adminUrl, range));
  const lines = capabilities.flatMap(linesOf);
  print({
    json,
    value: { ...range, capabilities },
    lines: lines.length === 0 ? ["no model was asked for anything in that time"] : lines,
  });
}

function linesOf({ capability, decisions, unbounded, replaced }: SentBy): readonly string[] {
  const open = unbounded === 0 ? "all behind the boundary" : `${unbounded} of them not behind the boundary`;
  return [
    `${capability}: ${decisions} ${decisions === 1 ? "decision" : "decisions"} with a model, ${open}`,
    ...(replaced.length === 0 ? ["  nothing was replaced"] : []),
    ...replaced.map((row) => `  ${row.class}: ${row.count} ${words[row.treatment] ?? row.treatment}`),
  ];
}

const words: Readonly<Record<string, string>> = {
  tokenise: "sent as stand-ins",
  hash: "sent as hashes",
  mask: "masked",
  drop: "left out",
};
