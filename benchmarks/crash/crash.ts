/**
 * Does anything get lost, stuck, done twice or told wrongly when processes die at any moment? Workers, deciders, desks and the embedded
 * server are killed with SIGKILL, and in a second stretch paused as well, while people ask and sign and a target of every dedupe kind
 * counts what reached it and goes on after its caller has died. Two controls must fail. Linux and macOS: it needs their signals.
 */
import { type ControlReport, callThenRecord, withoutPatience } from "./controls.ts";
import { type House, openHouse } from "./house.ts";
import { type LedgerFound, verifyHouse } from "./ledger.ts";
import { type PhaseReport, runPhase } from "./phase.ts";
import { kinds, least, type Plan, planOf } from "./plan.ts";
import { type Blows, sumOf } from "./storm.ts";
import { tableOf } from "./table.ts";

/** Everything that was found. */
export interface CrashReport {
  readonly name: "crash";
  readonly operations: number;
  readonly kills: Readonly<Blows> & { readonly total: number };
  readonly stops: Readonly<Blows> & { readonly total: number };
  readonly acknowledged_lost: number;
  readonly stuck: number;
  readonly wrong_verdict: number;
  readonly unknown_escalated: number;
  readonly phases: Readonly<Record<string, PhaseReport>>;
  readonly controls: readonly ControlReport[];
  readonly ledger: readonly LedgerFound[];
  /** Processes that ended without having been struck. */
  readonly own_ends: number;
  readonly seconds: number;
  /** The run was long enough for the counts that are asked for; a shortened one says what it reached. */
  readonly is_full: boolean;
  readonly holds: boolean;
}

/** Runs the storms and the controls. The full run goes on until its counts are reached: on two cores of its own the better part of an hour; `seconds` shortens it. */
export async function crash({
  seconds = null,
  notice,
}: {
  seconds?: number | null;
  notice: (line: string) => void;
}): Promise<CrashReport> {
  const startedAt = performance.now();
  const plan = planOf(seconds);
  const house = await openHouse();
  // Processes that are paused would outlive this one, and so would the database's server.
  const interrupted = (): void => void house.close().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupted);
  try {
    const report = await run(house, { plan, notice });
    const whole = { ...report, seconds: Math.round((performance.now() - startedAt) / 1_000) };
    for (const line of tableOf(whole)) notice(line);
    return whole;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, interrupted);
    await house.close();
  }
}

async function run(
  house: House,
  { plan, notice }: { plan: Plan; notice: (line: string) => void },
): Promise<Omit<CrashReport, "seconds">> {
  const phases: [string, PhaseReport][] = [];
  for (const phase of plan.phases) {
    notice(`${phase.name}: begins`);
    phases.push([phase.name, await runPhase(house, { phase, notice })]);
  }
  const ledger = await verifyHouse(house);
  const own_ends = Object.values(house.pools).reduce((total, pool) => total + pool.ownEnds(), 0);
  notice("controls: begin");
  const controls = [await callThenRecord(house, plan.controlMs), await withoutPatience(house, plan.controlMs)];
  const reports = phases.map(([, report]) => report);
  const add = (of: (report: PhaseReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  const kills = blowsOf(reports.map((report) => report.kills));
  const counts = {
    operations: add((report) => report.operations),
    acknowledged_lost: add((report) => report.acknowledged_lost),
    stuck: add((report) => report.stuck),
    wrong_verdict: add((report) => report.wrong_verdict),
    unknown_escalated: add((report) => report.unknown_escalated),
  };
  const isReached =
    !plan.isFull || (counts.operations >= least.operations && kills.total >= least.kills && kills.server >= least.serverKills);
  const isClean = counts.acknowledged_lost + counts.stuck + counts.wrong_verdict + doublesThatCount(phases) === 0;
  const isShown = controls.every(({ fails }) => fails) && ledger.every(({ isSound }) => isSound);
  return {
    name: "crash",
    ...counts,
    kills,
    stops: blowsOf(reports.map((report) => report.pauses)),
    phases: Object.fromEntries(phases),
    controls,
    ledger,
    own_ends,
    is_full: plan.isFull,
    holds: isReached && isClean && isShown && counts.operations > 0 && kills.total > 0,
  };
}

/**
 * Doubles that must not be: all, but of targets that can only be read those in the stretch in which processes were paused, and those
 * whose call the machine itself kept under way for longer than the effect waits.
 */
function doublesThatCount(phases: readonly (readonly [string, PhaseReport])[]): number {
  const counted = phases.flatMap(([name, report]) =>
    kinds.map((kind) => {
      const { applied_twice: twice = 0, twice_beyond_settle: beyond = 0 } = report.kinds[kind] ?? {};
      if (kind !== "observe") return twice;
      return name === "stops" ? 0 : twice - beyond;
    }),
  );
  return counted.reduce((total, one) => total + one, 0);
}

function blowsOf(all: readonly Readonly<Blows>[]): Blows & { total: number } {
  const of = (victim: keyof Blows): number => all.reduce((total, blows) => total + blows[victim], 0);
  const blows: Blows = { worker: of("worker"), decider: of("decider"), desk: of("desk"), server: of("server") };
  return { ...blows, total: sumOf(blows) };
}
