import type { Meter } from "../../contract/budget.ts";
import { neverCancelled } from "../../contract/cancel.ts";
import type { DecisionRecord, DecisionRequest } from "../../contract/decision.ts";
import type { MigrationStage, ModelMigrations, RunningMigration } from "../../contract/migration.ts";
import { modelName } from "../../contract/model-name.ts";
import type { Clock } from "../../contract/ports.ts";
import { neverAutoPpm, type StopReason } from "../../contract/words.ts";
import { type Run, usedBy } from "../run.ts";
import type { Deps } from "../state.ts";
import { compareContracts } from "./compare-contracts.ts";
import { type Contract, contractOf, saysNothingOfModel } from "./contract-of.ts";
import { memberNames } from "./member-names.ts";
import { type Side, sideOf } from "./side.ts";
import { tryModel } from "./try-model.ts";

/** What migrations reach: their rows, and a budget. */
interface MigratingPorts extends ModelMigrations {
  readonly meter: Meter;
  readonly clock: Clock;
  readonly onError: (thrown: unknown) => void;
}

/** Has requests of a capability under migration walked by both models. */
export interface Migrating {
  /**
   * Has a request decided, under the new model where it belongs to a canary's share, and behind that has the other model walk it too and records how the
   * two compare. Where nothing is migrated, or its rows cannot be read, the old model decides and nothing else is done.
   */
  readonly run: (request: DecisionRequest, deps: Deps, decide: (deps: Deps) => Promise<Run>) => Promise<Run>;
  /** Resolves once what was begun has ended. */
  readonly idle: () => Promise<void>;
}

/** Rows are read anew after so many milliseconds. */
const rowsKeptMs = 1_000;
/** Walks beside decisions at once; what comes while so many run is not tried, since live requests come first. */
const mostWalks = 8;

/** Makes the migrating of one deciding process. */
export function createMigrating(ports: MigratingPorts): Migrating {
  const { clock, onError } = ports;
  const rows = new Map<string, { readonly at: number; readonly read: Promise<readonly RunningMigration[]> }>();
  const walks = new Set<Promise<void>>();
  const runningOf = (tenant: string): Promise<readonly RunningMigration[]> => {
    const known = rows.get(tenant);
    if (known !== undefined && clock.monotonic() - known.at < rowsKeptMs) return known.read;
    const read = ports.running(tenant).catch((thrown: unknown) => {
      onError(thrown);
      return [];
    });
    rows.set(tenant, { at: clock.monotonic(), read });
    return read;
  };
  const follow = (side: Side, record: DecisionRecord, deps: Deps): void => {
    if (walks.size >= mostWalks) return;
    const walk = walkBeside({ ports, side, record, deps })
      .then((stage) => void (stage === side.migration.stage || rows.delete(side.migration.tenant)))
      .catch(onError)
      .finally(() => walks.delete(walk));
    walks.add(walk);
  };
  return {
    run: async ({ principal: { tenant }, decisionId }, deps, decide) => {
      const side = openSide({ ports, running: await runningOf(tenant), decisionId, deps });
      if (side === null) return decide(deps);
      const ended = await decide(depsOf(side, deps));
      if (ended.kind === "decided") follow(side, ended.outcome.record, deps);
      return ended;
    },
    idle: async () => {
      while (walks.size > 0) await Promise.all(walks);
    },
  };
}

/** Which model decides, where the capability is migrated and this is of the part; a row that no definition takes changes nobody's decision. */
function openSide({
  ports: { isGranted, onError },
  running,
  decisionId,
  deps: { capability, digest },
}: {
  ports: MigratingPorts;
  running: readonly RunningMigration[];
  decisionId: string;
  deps: Deps;
}): Side | null {
  const migration = running.find((one) => one.capability === capability.name);
  if (migration === undefined || (migration.stage === "canary_share" && !isGranted(migration))) return null;
  try {
    return sideOf({ migration, capability, decisionId, digest });
  } catch (thrown) {
    onError(thrown);
    return null;
  }
}

/** Under a new model nothing passes alone, whatever a slice's threshold says: that was earned by another. */
function depsOf({ capability, decides }: Side, deps: Deps): Deps {
  return { ...deps, capability, ...(decides === "new" ? { slices: { thresholdPpm: async () => neverAutoPpm } } : {}) };
}

async function walkBeside({
  ports,
  side,
  record,
  deps,
}: {
  ports: MigratingPorts;
  side: Side;
  record: DecisionRecord;
  deps: Deps;
}): Promise<MigrationStage | null> {
  const { migration, decides, other } = side;
  const { principal, capability, decisionId } = record.request;
  if (saysNothingOfModel(stopOf(record))) return migration.stage;
  const begun = await ports.meter.begin({
    ...{ tenant: principal.tenant, principal: principal.id, capability },
    ...{ case: null, caps: other.caps ?? {} },
  });
  // Where no budget holds it there is no trial; the decision stands.
  if (begun.kind === "over_budget") return migration.stage;
  let beside: DecisionRecord;
  try {
    // As of the decision's own time. It is no decision, so nobody who counts decisions counts it.
    const request = { ...record.request, at: record.at };
    beside = await tryModel({
      capability: other,
      request,
      deps: { ...deps, meter: begun.meter, spans: null, cancel: neverCancelled },
    });
    begun.settle(usedBy(beside.calls));
  } catch (thrown) {
    begun.leave();
    throw thrown;
  }
  if (saysNothingOfModel(stopOf(beside))) return migration.stage;
  const [old, next] = decides === "old" ? [record, beside] : [beside, record];
  const result = compareContracts({
    ...{ old: contractOf(old), next: ofNew(next, migration) },
    ...{ names: memberNames(other), usual: migration.usual },
  });
  return ports.record({ migration, decisionId, result });
}

function stopOf({ stop }: DecisionRecord): StopReason | null {
  return stop?.reason ?? null;
}

/** What the second model decided in its place is nothing that the new one did. */
function ofNew(record: DecisionRecord, { to }: RunningMigration): Contract {
  const contract = contractOf(record);
  const isItsOwn = record.model === modelName(to) || record.model === "none";
  return isItsOwn ? contract : { ...contract, hasFailed: true };
}
