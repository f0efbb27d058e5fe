/** The report as lines for a reader. */
import type { CrashReport } from "./crash.ts";

/** What was found, one line a kind of target; then the controls, and whether it holds. */
export function tableOf(report: CrashReport): readonly string[] {
  const columns = [
    "operations",
    "complete",
    "refused",
    "applied_twice",
    "wrong_verdict",
    "unknown_escalated",
    "escalated_had_happened",
  ] as const;
  const head = row(["stretch", "target", ...columns.map((name) => name.replaceAll("_", " "))]);
  const lines = Object.entries(report.phases).flatMap(([phase, { kinds }]) =>
    Object.entries(kinds).map(([kind, count]) => row([phase, kind, ...columns.map((name) => String(count[name]))])),
  );
  const { kills, stops } = report;
  const blows = ({ worker, decider, desk, server, total }: CrashReport["kills"]): string =>
    `${total} (workers ${worker}, deciders ${decider}, desks ${desk}, server ${server})`;
  return [
    head,
    ...lines,
    `operations ${report.operations}, kills ${blows(kills)}, stops ${blows(stops)}, ${report.seconds} s`,
    `acknowledged lost ${report.acknowledged_lost}, stuck ${report.stuck}, wrong verdict ${report.wrong_verdict}, left to people ${report.unknown_escalated}, ended by themselves ${report.own_ends}`,
    ...report.controls.map(
      ({ name, applied_twice, operations, kills: blown, fails }) =>
        `control ${name}: ${applied_twice} of ${operations} applied twice over ${blown} kills; ${fails ? "fails, as it must" : "DOES NOT FAIL, so this run shows nothing"}`,
    ),
    ...report.ledger.map(({ tenant, sealed, isSound, fault }) =>
      isSound
        ? `ledger of ${tenant}: verified to ${sealed}`
        : `ledger of ${tenant}: NOT SOUND at ${sealed} (${fault ?? "unsealed entries"})`,
    ),
    ...Object.values(report.phases).flatMap(({ faults }) => faults.slice(0, 20)),
    report.holds ? "holds" : "DOES NOT HOLD",
  ];
}

function row(cells: readonly string[]): string {
  return cells.map((cell, place) => (place < 2 ? cell.padEnd(12) : cell.padStart(10))).join(" ");
}
