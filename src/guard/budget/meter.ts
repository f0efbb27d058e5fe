/**
 * The meter of one deciding process: before a run begins, its worst case is taken from every budget that is for it; what it did not use
 * goes back when it ends. Holds purses and a timer; stop it.
 */
import type { Budget, BudgetUnit, Meter, MeteredRun, OverBudget, RunCaps, RunToMeter } from "../../contract/budget.ts";
import { limits } from "../../contract/limits.ts";
import type { Clock, Ids } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { startLoop } from "../../store/loop.ts";
import { type BudgetPlace, readBudgets, takeBackAllotments } from "./allotments.ts";
import type { Prices } from "./prices.ts";
import { openPurse, type Purse, type PurseHold } from "./purse.ts";
import { type PurseTimes, usualPurseTimes } from "./purse-state.ts";
import { type FullCaps, openRunMeter, uncapped } from "./run-meter.ts";

/** What a meter is made from. */
export interface MeterParts {
  /** Under the role `deciding`. */
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly prices: Pick<Prices, "priceOf" | "version">;
  readonly times?: PurseTimes;
  /** Told of rounds in the background that failed; the next one tries again. */
  readonly onError: (thrown: unknown) => void;
}

/** A meter with its purses. */
export interface OpenMeter extends Meter {
  /** Gives back what was drawn and is not held. */
  readonly stop: () => Promise<void>;
}

/** How long a tenant's list of budgets is good for, in milliseconds: so soon a change counts, and less than that where it raises a cap. */
const listMs = 5_000;
const tendMs = 200;
const takeBackEvery = 10;
/** About once an hour. */
const pruneEvery = 18_000;

export function openMeter({ database, clock, ids, prices, times = usualPurseTimes, onError }: MeterParts): OpenMeter {
  const purses = new Map<string, Purse>();
  const lists = new Map<string, { readonly at: number; readonly budgets: Promise<readonly Budget[]> }>();
  const purseAt = (place: BudgetPlace): Purse => {
    const key = [place.tenant, place.budget, place.subject, place.period].join("\n");
    const purse = purses.get(key) ?? openPurse(place, { database, clock, ids, times });
    purses.set(key, purse);
    return purse;
  };
  const budgetsOf = (tenant: string): Promise<readonly Budget[]> => {
    const known = lists.get(tenant);
    if (known !== undefined && clock.monotonic() - known.at < listMs) return known.budgets;
    const budgets = readBudgets(database, tenant).then(async (fresh) => {
      await shedLowered({ before: (await known?.budgets.catch(() => [])) ?? [], fresh, purses: [...purses.values()], tenant });
      return fresh;
    });
    lists.set(tenant, { at: clock.monotonic(), budgets });
    budgets.catch(() => lists.delete(tenant));
    return budgets;
  };
  const tending = startLoop({ work: tendingRound({ purses, database, onError }), everyMs: tendMs, onError });
  return {
    begin: async (run) => {
      const shared = (await budgetsOf(run.tenant)).filter((budget) => isFor(budget, run));
      const caps = fullCaps(run.caps, shared);
      const holds: PurseHold[] = [];
      try {
        for (const budget of shared) {
          const hold = await purseAt(placeOf(budget, run, clock)).hold(amountOf(caps, budget.unit));
          if (hold === null) {
            release(holds);
            return refused(budget, caps);
          }
          holds.push(hold);
        }
      } catch (thrown) {
        release(holds);
        throw thrown;
      }
      return begun({ caps, holds, shared, prices, clock });
    },
    stop: async () => {
      await tending.stop();
      await Promise.all([...purses.values()].map((purse) => purse.close()));
    },
  };
}

/** What was drawn under a higher cap goes back before anything more is taken of it. */
async function shedLowered({
  before,
  fresh,
  purses,
  tenant,
}: {
  before: readonly Budget[];
  fresh: readonly Budget[];
  purses: readonly Purse[];
  tenant: string;
}): Promise<void> {
  const lowered = before.filter(({ id, cap }) => (fresh.find((one) => one.id === id)?.cap ?? 0) < cap).map(({ id }) => id);
  const touched = purses.filter(({ place }) => place.tenant === tenant && lowered.includes(place.budget));
  await Promise.all(touched.map((purse) => purse.shed()));
}

/** A round in the background: leases, counts, what lies idle, and now and then what dead processes left. */
function tendingRound({
  purses,
  database,
  onError,
}: Pick<MeterParts, "database" | "onError"> & { purses: Map<string, Purse> }): () => Promise<void> {
  let rounds = 0;
  return async () => {
    const tended = await Promise.allSettled([...purses.values()].map((purse) => purse.tend()));
    for (const one of tended) if (one.status === "rejected") onError(one.reason);
    for (const [key, purse] of purses) if (purse.isEmpty()) purses.delete(key);
    rounds += 1;
    if (rounds % takeBackEvery === 0) await takeBackAllotments(database, { prunes: rounds % pruneEvery === 0 });
  };
}

function begun({
  caps,
  holds,
  shared,
  prices,
  clock,
}: {
  caps: FullCaps;
  holds: readonly PurseHold[];
  shared: readonly Budget[];
  prices: MeterParts["prices"];
  clock: Clock;
}): MeteredRun {
  return {
    kind: "begun",
    meter: openRunMeter({ caps, prices, clock }),
    reservation:
      holds.length === 0
        ? null
        : { allotments: holds.map(({ allotment }) => allotment), amounts: holds.map(({ amount }) => amount) },
    settle: (used) => {
      for (const [at, hold] of holds.entries()) hold.end({ kind: "used", used: used[shared[at]?.unit ?? "micros"] });
    },
    release: () => release(holds),
    leave: () => {
      for (const hold of holds) hold.end({ kind: "left" });
    },
  };
}

function release(holds: readonly PurseHold[]): void {
  for (const hold of holds) hold.end({ kind: "used", used: 0 });
}

function isFor(budget: Budget, run: RunToMeter): boolean {
  const name = { tenant: "", capability: run.capability, principal: run.principal, case: run.case?.kind }[budget.scope];
  return name !== undefined && (budget.name === name || (budget.name === "*" && budget.scope !== "tenant"));
}

/** Where a run's share of a budget is counted. */
function placeOf({ id, scope, period }: Budget, run: RunToMeter, clock: Clock): BudgetPlace {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return {
    tenant: run.tenant,
    budget: id,
    subject: { tenant: "", capability: run.capability, principal: run.principal, case: run.case?.id ?? "" }[scope],
    period: { day, month: `${day.slice(0, 7)}-01`, ever: "1970-01-01" }[period],
  };
}

/** The caps that a run has without being given any: smaller ones where a shared budget is to hold them, and no cap on money where none is. */
function fullCaps(caps: RunCaps, shared: readonly Budget[]): FullCaps {
  const counts = (unit: BudgetUnit): boolean => shared.some((budget) => budget.unit === unit);
  return {
    ...limits.run,
    costMicros: counts("micros") ? limits.sharedRun.costMicros : uncapped,
    ...(counts("tokens") ? { tokens: limits.sharedRun.tokens } : {}),
    ...(counts("turns") ? { turns: limits.sharedRun.turns } : {}),
    ...caps,
  };
}

function amountOf(caps: FullCaps, unit: BudgetUnit): number {
  if (unit === "micros") return caps.costMicros;
  return unit === "tokens" ? caps.tokens : caps.turns;
}

function refused({ id, period, unit, cap }: Budget, caps: FullCaps): OverBudget {
  const word = { micros: "millionths", tokens: "tokens", turns: "requests to models" }[unit];
  const often = period === "ever" ? "" : ` a ${period}`;
  const detail = `budget \`${id}\` of ${cap} ${word}${often} does not hold the ${amountOf(caps, unit)} that this could take`;
  return { kind: "over_budget", detail };
}
