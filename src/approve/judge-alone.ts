import { neverAutoPpm } from "../contract/words.ts";
import { isCompensation } from "../define/compensation.ts";
import { judgeSources } from "../guard/provenance/judge-sources.ts";
import { editorOf } from "../ledger/asker.ts";
import type { DecisionStory } from "../ledger/read.ts";
import { readThreshold } from "../ledger/slices.ts";
import type { Tx } from "../store/database.ts";
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

/** What the tables say that only the acting role writes: each effect was released, and the confidence reaches the slice's threshold. */
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
  const unreleased = await judgeRelease({ tx, effects: tasks.map(({ effect }) => effect), measure });
  return unreleased ?? judgeConfidence({ tx, story, proposal });
}

/** The threshold that a person signed for this slice, from the table that only the acting role writes. */
async function judgeConfidence({
  tx,
  story,
  proposal,
}: {
  tx: Tx;
  story: DecisionStory;
  proposal: NonNullable<DecisionStory["proposal"]>;
}): Promise<Refusal | null> {
  const { tenant, capability, capabilityVersion, confidencePpm, routing } = proposal;
  const thresholdPpm = await readThreshold(tx, { tenant, capability, capabilityVersion, slice: routing.slice });
  if (thresholdPpm >= neverAutoPpm) return refuses("slice_not_open", "no person has opened this slice");
  if (story.outcome.body["confidencePpm"] !== confidencePpm) return refuses("confidence", "entry and proposal disagree");
  if (confidencePpm >= thresholdPpm) return null;
  return refuses("below_threshold", "the confidence is below the slice's threshold");
}

function refuses(rule: string, reason: string): Refusal {
  return refusal("policy_refuses", rule, reason);
}
