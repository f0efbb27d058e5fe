/**
 * Can the tools of two businesses that others wrote be records and effects here, and what is then no longer possible? First the port
 * of the tools alone against what was recorded of the original, then each write through proposal, approval and operation. The material
 * is somebody else's and lies in a folder that is named; nothing of it is here.
 */
import { type Conformance, conform } from "./conformance.ts";
import { type Domain, domains } from "./domains.ts";
import { type FaultyWrites, measureFaulty } from "./faulty.ts";
import { type House, openHouse } from "./house.ts";
import { type DomainSet, readSet } from "./read-set.ts";
import { measureRecorded, type RecordedWrites } from "./recorded.ts";
import { measureSafety, type Safety } from "./safety.ts";
import { measureStrangers, type Strangers } from "./strangers.ts";
import { measureUtility, type Utility } from "./utility.ts";

/** What was measured of one business. */
export interface DomainReport {
  readonly conformance: Conformance;
  /** Conformance through the whole of Countersign, with a scripted person. */
  readonly governed: Utility;
  readonly safety: Safety;
  readonly strangers: Strangers;
  readonly recorded: RecordedWrites | null;
  readonly faultySystem: FaultyWrites | null;
}

/** What was measured, or why nothing was. */
export type TauReport =
  | { readonly name: "tau"; readonly skipped: string }
  | {
      readonly name: "tau";
      readonly split: "open" | "held";
      readonly domains: Readonly<Record<Domain, DomainReport>>;
      /** Everything that must be so is so, in both businesses. */
      readonly passed: boolean;
    };

/** Runs the benchmark over the folder of all sets; says that it was skipped where the set is absent. Takes several minutes. */
export async function tau({
  data,
  split,
  notice,
}: {
  data: string | null;
  split: "open" | "held";
  notice: (line: string) => void;
}): Promise<TauReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const sets = await readSet(data, split);
  if ("missing" in sets) return skipped(`\`${sets.missing}\` is not there`);
  const conformances = domains.map((domain) => {
    notice(`${domain}: the port alone`);
    return conform(sets[domain]);
  });
  const house = await openHouse({ retail: sets.retail.original, airline: sets.airline.original });
  try {
    const reports: [Domain, DomainReport][] = [];
    for (const [place, domain] of domains.entries()) {
      const conformance = conformances[place];
      if (conformance !== undefined) reports.push([domain, await measure(house, { set: sets[domain], conformance, notice })]);
    }
    const byDomain = Object.fromEntries(reports) as Record<Domain, DomainReport>; // one for each
    return { name: "tau", split, domains: byDomain, passed: reports.every(([, report]) => hasPassed(report)) };
  } finally {
    await house.close();
  }
}

async function measure(
  house: House,
  { set, conformance, notice }: { set: DomainSet; conformance: Conformance; notice: (line: string) => void },
): Promise<DomainReport> {
  notice(`${set.domain}: the gold writes, each proposed, signed and looked at`);
  const governed = await measureUtility(house, set);
  notice(`${set.domain}: over changed records, twice, and once more`);
  const safety = await measureSafety(house, set);
  notice(`${set.domain}: in the sessions of others`);
  const strangers = await measureStrangers(house, set);
  notice(`${set.domain}: what a model proposed, and a system of record with a fault`);
  const recorded = await measureRecorded(house, set);
  return { conformance, governed, safety, strangers, recorded, faultySystem: await measureFaulty(house, set) };
}

/** An empty set proves nothing, so a share of `null` is no 1. */
function hasPassed({ conformance, governed, safety, strangers, recorded, faultySystem }: DomainReport): boolean {
  const { tasks, tasksWithoutFault, tasksWithFault, outcomes, calls, callsWithoutFault } = conformance;
  const all = [tasks, tasksWithoutFault, tasksWithFault, outcomes, calls, governed.tasks, governed.writes];
  const safe = [safety.stale, safety.sameClientKey, safety.sameBusinessKey, safety.again, safety.tasks];
  const mayBeEmpty = [callsWithoutFault, ...(faultySystem === null ? [] : [faultySystem.noticed])];
  return (
    conformance.initialState &&
    [...all, ...safe].every(({ share }) => share === 1) &&
    mayBeEmpty.every(({ share }) => share === null || share === 1) &&
    [strangers.honest, strangers.takenOver, strangers.takenOverAsOwner].every((one) => one.tried > 0 && one.applied === 0) &&
    (recorded === null || (recorded.unwantedApplied === 0 && recorded.changedUnsigned.length === 0))
  );
}

function skipped(why: string): TauReport {
  return { name: "tau", skipped: why };
}
