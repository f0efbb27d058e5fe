import type { AutonomyView, Simulation, SliceEvidence } from "../../contract/autonomy.ts";
import type { Calibration } from "../../contract/calibration.ts";
import type { Capability } from "../../contract/capability.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { Project } from "../../define/project.ts";
import type { Database, Tx } from "../../store/database.ts";
import { sha256Digest } from "../../store/digest.ts";
import type { StoreTime } from "../../store/time.ts";
import { judgedBySlice, judgedForFit, type Looking, proposalOf, readAutonomy } from "./autonomy.ts";
import { fitCalibration } from "./fit-calibration.ts";
import { simulate } from "./simulate.ts";

/** One slice of a capability. */
interface OfSlice {
  readonly tenant: string;
  readonly capability: string;
  readonly slice: string;
}

/** A proposal as somebody was shown it: its digest, and the instant up to which evidence counts. */
export interface ShownProposal {
  readonly digest: string;
  readonly until: number;
}

/** A threshold that is to be signed at a time of the store's clock. */
interface Opening extends OfSlice {
  readonly thresholdPpm: number;
  readonly now: number;
  readonly proposal?: ShownProposal | undefined;
}

/** What can be said of a tenant's slices. Who may ask is asked before. */
export interface Autonomy {
  readonly view: (tenant: string) => Promise<AutonomyView>;
  /** What would have gone `auto` at a threshold; `unknown_capability` where the project has none of that name. */
  readonly simulate: (of: OfSlice & { readonly thresholdPpm: number }) => Promise<Simulation>;
  /** A calibration from what people decided; `not_enough_evidence`. */
  readonly fit: (of: Omit<OfSlice, "slice">) => Promise<Calibration>;
  /**
   * The evidence of a proposal, computed anew in the transaction in which it is signed; `null` without a proposal. Throws `evidence_changed`
   * where it bears out another threshold than the one that is to be signed, what came in since bears it out no more, or the proposal is
   * older than a day.
   */
  readonly earned: (tx: Tx, opening: Opening) => Promise<SliceEvidence | null>;
}

/** How long ago entries must lie to count, in milliseconds: what is being committed right now would change what is shown. */
const settleMs = 2_000;
/** How long a proposal may wait for its signature, in milliseconds. */
const shownMs = 24 * 60 * 60 * 1_000;

/** Opens the evidence of a project's slices, for a process whose role may read entries. */
export function openAutonomy({
  database,
  project,
  environment,
  storeTime,
}: {
  database: Database;
  project: Project;
  environment: string;
  storeTime: StoreTime;
}): Autonomy {
  const over = <T>(tenant: string, work: (looking: Looking) => Promise<T>) =>
    database.inTenant(tenant, async (tx) =>
      work({ tx, tenant, project, environment, until: (await storeTime(tx)) - settleMs, digest: sha256Digest }),
    );
  return {
    view: (tenant) => over(tenant, readAutonomy),
    simulate: ({ tenant, capability: name, slice, thresholdPpm }) =>
      over(tenant, async (looking) => {
        const capability = named(project, name);
        const decisions = (await judgedBySlice(looking, capability)).get(slice) ?? [];
        return simulate({ capability, slice, decisions, thresholdPpm });
      }),
    fit: ({ tenant, capability: name }) =>
      over(tenant, async (looking) => {
        const { basis, from, decisions } = await judgedForFit(looking, named(project, name));
        const judged = decisions.map(({ signals, judgement }) => ({ signals, agreed: judgement === "agreed" }));
        return fitCalibration({
          capability: name,
          evidence: { basis, from, until: looking.until },
          judged,
          digest: sha256Digest,
        });
      }),
    async earned(tx, { tenant, capability, slice, thresholdPpm, now, proposal: shown }) {
      if (shown === undefined) return null;
      if (shown.until > now || shown.until < now - shownMs) throw changed("the proposal is older than a day");
      const looking = { tx, tenant, project, environment, until: shown.until, digest: sha256Digest };
      const proposal = await proposalOf(looking, { capability, slice, digest: shown.digest, now });
      const { thresholdPpm: proposed, basis: _, calibration: __, oneFewerPpm: ___, ...evidence } = proposal;
      if (proposed !== thresholdPpm) throw changed(`the proposal is of a threshold of ${proposed} parts per million`);
      return evidence;
    },
  };
}

function named({ capabilities }: Project, name: string): Capability {
  const capability = capabilities.find((one) => one.name === name);
  if (capability !== undefined) return capability;
  throw new CountersignError("unknown_capability", `no capability is named \`${name}\``, { facts: { capability: name } });
}

function changed(what: string): CountersignError {
  return new CountersignError("evidence_changed", `${what}; look again with \`countersign autonomy propose\``);
}
