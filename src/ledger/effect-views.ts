import type { Snapshot } from "../contract/effect.ts";
import type { EffectView } from "../contract/views.ts";
import { type OperationState, type Verdict, verdicts } from "../contract/words.ts";
import { numberAt, textAt } from "./fields.ts";
import type { DecisionStory, ReadEntry } from "./story.ts";

/** Where one effect of a decision stands, by its index. */
export type EffectStanding = Pick<
  EffectView,
  "index" | "state" | "verdict" | "observed" | "approvedBy" | "approverKind" | "operationId" | "refusedCode"
>;

/** Follows the entries and operations of a decision and says where each of its effects stands. */
export function effectStates(story: DecisionStory): readonly EffectStanding[] {
  const count = numberAt(story.outcome.body, "effects") ?? 0;
  const standings = Array.from({ length: count }, (_, index) => standingOf(story, index));
  // Effects go in order: what comes after one that did not succeed was not started.
  const broken = standings.findIndex(({ state }) => isBroken(state));
  return standings.map((one) => (broken >= 0 && one.index > broken && isUnstarted(one) ? { ...one, state: "not_started" } : one));
}

/** The views of a decision's effects; none where the payload was erased, since what they were is gone. */
export function effectViews({ proposal }: DecisionStory, standings: readonly EffectStanding[]): readonly EffectView[] {
  return (proposal?.effects ?? []).flatMap((effect) => {
    const standing = standings[effect.index];
    if (standing === undefined) return [];
    const { index, sentence, params, before, expected, sources, risk, sideEffect, reversible } = effect;
    const shown = { index, effect: effect.effect, sentence, params, before, expected, sources, risk, sideEffect, reversible };
    return [{ ...shown, ...standing, dedupe: null }];
  });
}

const untouched = {
  state: "proposed",
  verdict: null,
  observed: null,
  approvedBy: null,
  approverKind: null,
  operationId: null,
  refusedCode: null,
} as const;

function standingOf(story: DecisionStory, index: number): EffectStanding {
  const known = new Set(story.following.filter(({ kind }) => kind === "approved").map(({ body }) => textAt(body, "approvalId")));
  const ours = story.following.filter(({ body }) => (numberAt(body, "effectIndex") ?? index) === index);
  const told = ours.reduce<EffectStanding>((standing, entry) => afterEntry({ standing, entry, known }), { index, ...untouched });
  const operation = story.operations.filter(({ effect_index }) => effect_index === index).at(-1);
  if (operation === undefined) return told;
  // The operation's row is the truth; the entries say how it came there.
  return { ...told, state: operationStanding[operation.state], operationId: operation.id };
}

function afterEntry({
  standing,
  entry,
  known,
}: {
  standing: EffectStanding;
  entry: ReadEntry;
  known: ReadonlySet<string | null>;
}): EffectStanding {
  const { body, bodies } = entry;
  switch (entry.kind) {
    case "approved": {
      const approverKind = body["approverKind"] === "policy" ? "policy" : "person";
      return { ...standing, state: "signed", approvedBy: textAt(body, "approver"), approverKind, refusedCode: null };
    }
    case "expired":
      // Unused: the effect is as it was before it was signed.
      if (body["approvalId"] == null || standing.state !== "signed") return standing;
      return { ...standing, state: "proposed", approvedBy: null, approverKind: null };
    case "refused":
      // Somebody tried at the desk what they may not; that says nothing of the effect.
      if (entry.writer === "desk") return standing;
      // An approval that nobody is recorded to have given changes nothing: the proposal waits on.
      if (body["approvalId"] != null && !known.has(textAt(body, "approvalId"))) return standing;
      return { ...standing, state: "refused", refusedCode: textAt(body, "code") };
    case "applying":
      return { ...standing, state: "applying", operationId: textAt(body, "operationId") };
    case "applied":
      return { ...standing, state: "applied" };
    case "observed": {
      const verdict = verdictOf(body["verdict"]);
      // Bodies of this name are snapshots, by the acting half that writes them.
      return { ...standing, verdict, state: verdict ?? standing.state, observed: (bodies["observed"] ?? null) as Snapshot };
    }
    case "escalated":
      return { ...standing, state: "escalated" };
    default:
      return standing;
  }
}

const operationStanding: Readonly<Record<OperationState, EffectView["state"]>> = {
  applying: "applying",
  applied: "applied",
  complete: "complete",
  incomplete: "incomplete",
  failed: "failed",
  unknown: "unknown",
  retrying: "applying",
  compensating: "failed",
  compensated: "failed",
  escalated: "escalated",
  refused: "refused",
};

function isBroken(state: EffectView["state"]): boolean {
  return state === "failed" || state === "incomplete" || state === "unknown" || state === "escalated" || state === "refused";
}

/** Signed or not, nothing was begun for it; its approval may have been refused because of the effect that broke. */
function isUnstarted({ state, operationId, refusedCode }: EffectStanding): boolean {
  if (state === "signed" || state === "proposed") return true;
  return state === "refused" && operationId === null && refusedCode === "precondition_failed";
}

function verdictOf(value: unknown): Verdict | null {
  return verdicts.find((verdict) => verdict === value) ?? null;
}
