import { usualAutonomy } from "../contract/autonomy.ts";
import type { Capability } from "../contract/capability.ts";
import { isSampled } from "../contract/is-sampled.ts";
import { neverAutoPpm } from "../contract/words.ts";
import { groundChange } from "../define/authority-basis.ts";
import { isCompensation } from "../define/compensation.ts";
import { judgeSources } from "../guard/provenance/judge-sources.ts";
import { editorOf } from "../ledger/asker.ts";
import type { DecisionStory } from "../ledger/read.ts";
import { readSlice } from "../ledger/slices.ts";
import type { Tx } from "../store/database.ts";
import { sha256Digest } from "../store/digest.ts";
import type { Accounts } from "./accounts.ts";
import { judgeRequester } from "./as-now.ts";
import { type EffectTask, effectTask } from "./effect-task.ts";
import { judgeRelease } from "./judge-release.ts";
import type { Measure } from "./licence.ts";
import { type Refusal, refusal } from "./refusal.ts";

/**
 * Decides whether policy lets every effect of a proposal through without a person. The graph only asked: slice, risk, sources,
 * environment, verification, release and who asked are judged here anew, from the ledger, the accounts and this process's own
 * definitions.
 */
export async function judgeAlone({
  tx,
  story,
  measure,
  accounts,
}: {
  tx: Tx;
  story: DecisionStory;
  measure: Measure;
  accounts: Accounts;
}): Promise<{ kind: "permitted"; tasks: readonly EffectTask[] } | Refusal> {
  const { proposal, outcome } = story;
  if (proposal === null || proposal.effects.length === 0) return refuses("proposal", "the decision proposes no effect");
  const capability = measure.project.capabilities.find((one) => one.name === proposal.capability);
  if (capability?.review !== "by_route") return refuses("review_before_delivery", "a person looks before delivery");
  if (editorOf(story) !== null) return refuses("edited_by_person", "what a person decided, a person signs");
  if (outcome.body["route"] !== "auto" || proposal.routing.route !== "auto")
    return refuses("route", "the graph did not route it so");
  if (outcome.body["verified"] !== true) return refuses("not_verified", "a hard check did not pass");
  const tasks: EffectTask[] = [];
  for (const { index } of proposal.effects) {
    const task = await effectTask({ story, effectIndex: index, project: measure.project });
    const fault = task.kind === "refused" ? task : await judgeEffect(task, { measure, accounts });
    if (fault !== null) return fault;
    if (task.kind === "effect") tasks.push(task);
  }
  const fault = await judgeByStore({ tx, story, proposal, tasks, measure });
  return fault ?? { kind: "permitted", tasks };
}

async function judgeEffect(
  task: EffectTask,
  { measure: { policy, environment }, accounts }: { measure: Measure; accounts: Accounts },
): Promise<Refusal | null> {
  const { effect, params, proposal, proposed, requester } = task;
  if (proposal.environment !== environment || !effect.environments.includes(environment)) {
    return refuses("environment", `effect \`${effect.name}\` is not for environment \`${environment}\``);
  }
  const asked = { name: effect.name, risk: effect.risk(params) };
  const isUndoing = isCompensation({ name: proposal.capability });
  const fault = await judgeRequester(requester, {
    ...{ accounts, isUndoing, mayBeGone: false },
    asks: [(principal) => policy.mayPropose(principal, asked), (principal) => policy.mayPassAlone(principal, asked)],
  });
  if (fault !== null) return fault;
  const sources = judgeSources({ effect, proposedEffect: proposed });
  return sources.kind === "refused" ? refuses(sources.rule, sources.reason) : null;
}

/** Who is drawn for a person, and what the tables say that only the acting role writes: each effect was released, and the confidence reaches the slice's threshold. */
async function judgeByStore({
  tx,
  story,
  proposal,
  tasks,
  measure,
}: {
  tx: Tx;
  story: DecisionStory;
  proposal: NonNullable<DecisionStory["proposal"]>;
  tasks: readonly EffectTask[];
  measure: Measure;
}): Promise<Refusal | null> {
  const capability = measure.project.capabilities.find(({ name }) => name === proposal.capability);
  if (capability !== undefined && isAudited(capability, story.decisionId))
    return refuses("audit_sample", "it was drawn for a person to look at");
  const unreleased = await judgeRelease({ tx, effects: tasks.map(({ effect }) => effect), measure });
  return unreleased ?? judgeConfidence({ tx, story, proposal, measure });
}

/**
 * The threshold that a person signed for this slice, from the table that only the acting role writes, and what it rests on: the decision was
 * made under the definition, the calibration and by a model that earned it, and that definition is the one of this process.
 */
async function judgeConfidence({
  tx,
  story: { outcome },
  proposal,
  measure: { project },
}: {
  tx: Tx;
  story: DecisionStory;
  proposal: NonNullable<DecisionStory["proposal"]>;
  measure: Measure;
}): Promise<Refusal | null> {
  const { tenant, capability, capabilityVersion, confidencePpm, routing } = proposal;
  const standing = await readSlice(tx, { tenant, capability, capabilityVersion, slice: routing.slice });
  if (standing === null || standing.thresholdPpm >= neverAutoPpm)
    return refuses("slice_not_open", "no person has opened this slice");
  if (outcome.body["confidencePpm"] !== confidencePpm) return refuses("confidence", "entry and proposal disagree");
  if (confidencePpm < standing.thresholdPpm) return refuses("below_threshold", "the confidence is below the slice's threshold");
  const definition = project.capabilities.find(({ name }) => name === capability);
  const changed = definition === undefined ? "definition_changed" : groundChange(standing, definition, sha256Digest);
  if (changed === "definition_changed")
    return refuses("basis_changed", "the slice was opened for another definition of its capability");
  if (changed === "rule_changed")
    return refuses(
      "slice_below_bar",
      "the bar is higher than the evidence of the slice, or fewer are shown to people than was signed",
    );
  const { body } = outcome;
  const { basis, calibration, evidence } = standing;
  if (body["basis"] !== basis || body["calibration"] !== calibration)
    return refuses("basis_differs", "it was decided under another definition than the slice was opened for");
  const isKnown = evidence === null || evidence.models.some((model) => model === body["model"]);
  return isKnown ? null : refuses("model_unproved", "the model that decided it is not one that the slice was earned by");
}

/** Drawn by the decision's id, as the graph draws; what it let through all the same is not signed. */
function isAudited({ autonomy = usualAutonomy }: Pick<Capability, "autonomy">, decisionId: string): boolean {
  return isSampled({ of: "audit", decisionId, ratePpm: autonomy.auditPpm, digest: sha256Digest });
}

function refuses(rule: string, reason: string): Refusal {
  return refusal("policy_refuses", rule, reason);
}
