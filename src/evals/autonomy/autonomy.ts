/**
 * What has been earned: reads the evidence of every capability from the ledger, computes, and proposes. It signs nothing and opens nothing:
 * a person signs at the desk, and the acting half checks that and writes the threshold.
 */
import type { AutonomyView, DemotionView, SliceView, ThresholdProposal } from "../../contract/autonomy.ts";
import type { Capability } from "../../contract/capability.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { Digest } from "../../contract/ports.ts";
import { basisOf } from "../../define/authority-basis.ts";
import type { Project } from "../../define/project.ts";
import { readDemotions } from "../../ledger/slices/demotions.ts";
import { listSlices, type StandingSlice } from "../../ledger/slices.ts";
import type { Tx } from "../../store/database.ts";
import { isJudged } from "./judgement.ts";
import { type Judged, type JudgedDecision, readJudged } from "./read-judged.ts";
import { bearsOut, sliceView } from "./slice-view.ts";

/** Whose evidence is looked at, and up to when. */
export interface Looking {
  readonly tx: Tx;
  readonly tenant: string;
  readonly project: Project;
  readonly environment: string;
  /** Milliseconds since the epoch, by the store's clock; nothing from then on counts. */
  readonly until: number;
  readonly digest: Digest;
}

/** How far back evidence counts, in milliseconds. */
const windowMs = 90 * 24 * 60 * 60 * 1_000;

/** Every slice with what its evidence says, and what was taken back within the window. */
export async function readAutonomy(looking: Looking): Promise<AutonomyView> {
  const known = await readKnown(looking);
  const slices: SliceView[] = [];
  for (const capability of looking.project.capabilities.filter(mayEarn))
    slices.push(...(await viewsOf(capability, looking, known)));
  return { from: looking.until - windowMs, until: looking.until, slices, demotions: known.demotions };
}

/**
 * The proposal of one slice, computed anew from the same window, for whoever is about to sign it. Throws `evidence_changed` where it is not
 * the one that they were shown, a breach was seen of the slice or it was signed since, or what came in since `until` bears it out no more.
 */
export async function proposalOf(
  looking: Looking,
  {
    capability: name,
    slice,
    digest,
    now,
  }: { readonly capability: string; readonly slice: string; readonly digest: string; readonly now: number },
): Promise<ThresholdProposal> {
  const capability = looking.project.capabilities.find((one) => one.name === name);
  const known = await readKnown(looking);
  const isNewer = known.standing.some((one) => one.capability === name && one.slice === slice && one.grantedAt >= looking.until);
  const views = capability === undefined || isNewer ? [] : await viewsOf(capability, looking, known);
  const proposal = views.find((one) => one.slice === slice)?.proposal ?? null;
  if (capability !== undefined && proposal?.digest === digest) {
    const decisions = (await judgedBySlice({ ...looking, until: now }, capability)).get(slice) ?? [];
    if (bearsOut({ capability, decisions, thresholdPpm: proposal.thresholdPpm })) return proposal;
  }
  throw new CountersignError(
    "evidence_changed",
    "the evidence of this slice bears out another threshold than the one that was proposed, or none; look again with `countersign autonomy propose`",
    { facts: { capability: name, slice } },
  );
}

/** The decisions that count for a capability as it is defined here, those that its calibration was fitted from left out, by slice. */
export async function judgedBySlice(
  looking: Looking,
  capability: Capability,
): Promise<ReadonlyMap<string, readonly JudgedDecision[]>> {
  return (await fresh(looking, capability, await listSlices(looking.tx, looking.tenant))).bySlice;
}

/** The judged decisions from which a calibration may be fitted: every slice, and those that one was fitted from before besides. */
export async function judgedForFit({ tx, tenant, environment, until, digest }: Looking, capability: Capability): Promise<ForFit> {
  const { name, version: capabilityVersion } = capability;
  const basis = basisOf(capability, digest);
  const from = Math.max(0, until - windowMs);
  const judged = await readJudged(tx, { tenant, capability: name, capabilityVersion, environment, from, until });
  const decisions = judged.decisions.filter((one) => one.basis === basis && isJudged(one.judgement));
  return { basis, from: judged.from, decisions };
}

interface ForFit extends Judged {
  readonly basis: string;
}

interface Known {
  readonly standing: readonly StandingSlice[];
  readonly demotions: readonly DemotionView[];
}

async function readKnown({ tx, tenant, until }: Looking): Promise<Known> {
  const standing = await listSlices(tx, tenant);
  return { standing, demotions: await readDemotions(tx, { tenant, from: until - windowMs, until }) };
}

async function fresh(
  { tx, tenant, environment, until, digest }: Looking,
  capability: Capability,
  standing: readonly StandingSlice[],
): Promise<{ readonly from: number; readonly bySlice: ReadonlyMap<string, readonly JudgedDecision[]> }> {
  const { name, version: capabilityVersion } = capability;
  const basis = basisOf(capability, digest);
  const from = startOf(capability, until);
  const judged = await readJudged(tx, { tenant, capability: name, capabilityVersion, environment, from, until });
  const ofThis = standing.filter((one) => one.capability === name);
  const counts = ({ slice, at }: JudgedDecision) => ofThis.every((one) => one.slice !== slice || one.provesFrom <= at);
  const counted = judged.decisions.filter((one) => one.basis === basis && counts(one));
  return { from: judged.from, bySlice: Map.groupBy(counted, ({ slice }) => slice) };
}

async function viewsOf(capability: Capability, looking: Looking, { standing }: Known): Promise<readonly SliceView[]> {
  const { until, digest } = looking;
  const ofThis = standing.filter((one) => one.capability === capability.name && one.capabilityVersion === capability.version);
  const { from, bySlice } = await fresh(looking, capability, standing);
  const names = [...new Set([...ofThis.map(({ slice }) => slice), ...bySlice.keys()])].sort();
  const basis = basisOf(capability, digest);
  return names.map((slice) =>
    sliceView({
      ...{ capability, basis, slice, standing: ofThis.find((one) => one.slice === slice) ?? null },
      ...{ decisions: bySlice.get(slice) ?? [], from, until, digest },
    }),
  );
}

/** What a calibration was fitted from has said all it can: it does not prove a threshold besides. */
function startOf({ calibration }: Capability, until: number): number {
  return Math.max(0, until - windowMs, calibration?.evidence.until ?? 0);
}

/** Whether anything of it could ever go alone: it changes something, and no person looks at each. */
function mayEarn({ effects, review }: Capability): boolean {
  return effects.length > 0 && review === "by_route";
}
