import { defineEffect, type JsonObject, type Snapshot } from "countersign";
import { z } from "zod";

/** Days by which a loan is renewed. */
const renewalDays = 14;

/** The contract of one change: what may change, and what must be true afterwards. How it is done stands in `hands.ts`. */
export const extendLoan = defineEffect({
  name: "extend_loan",
  version: "1",
  owner: "library",
  params: z.strictObject({ loan: z.string().regex(/^loan-\d+$/), version: z.int().min(1), until: z.iso.date() }),
  // What each value is for, and which sources are good enough for it without a person.
  paramRules: {
    loan: { class: "target", sources: ["record"] },
    version: { class: "selector", sources: ["record"] },
    until: { class: "time", sources: ["calculation"] },
  },
  sideEffect: "mutating",
  risk: "low",
  reversible: true,
  describe: ({ loan, until }) => `Renew ${loan} until ${until}`,
  // The name of this very change: however often it is asked for, it happens once.
  key: ({ loan, version }) => `extend:${loan}:${version}`,
  // The library changes a loan only if it still has the version that was approved.
  dedupe: "conditional",
  settleMs: 2_000,
  // Judged again by the acting half, on the state that it reads itself just before.
  requires: [{ name: "not_reserved", holds: (_params, before) => before?.["is_reserved"] === false }],
  before: { query: "loans.byId", params: ({ loan }) => ({ loan }), project: loanSnapshot },
  // "Done" is what an independent read says, not what the library answered.
  expect: { state: ({ version, until }) => ({ due_on: until, version: version + 1 }), mayChange: [], deadlineMs: 60_000 },
});

/** What the effect sees of the world: the loan, or nothing. */
export function loanSnapshot([loan]: readonly JsonObject[]): Snapshot {
  if (loan === undefined) return null;
  const { id = null, due_on = null, version = null, is_reserved = null } = loan;
  return { id, due_on, version, is_reserved };
}

/** The day until which a loan is renewed, from the day on which it is due, both as `YYYY-MM-DD`. */
export function renewedUntil(dueOn: string): string {
  return new Date(Date.parse(dueOn) + renewalDays * 86_400_000).toISOString().slice(0, 10);
}
