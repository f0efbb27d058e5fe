import { signaturesFor } from "../contract/approval.ts";
import type { Snapshot } from "../contract/effect.ts";
import type { EffectView, ResolutionView } from "../contract/views.ts";
import { type OperationState, resolvedOutcomes, type Verdict, verdicts } from "../contract/words.ts";
import { numberAt, textAt } from "./fields.ts";
import type { DecisionStory, ReadEntry } from "./story.ts";

/** Where one effect of a decision stands, by its index. */
export type EffectStanding = Pick<
  EffectView,
  | "index"
  | "state"
  | "verdict"
  | "observed"
  | "signedBy"
  | "signaturesNeeded"
  | "approvedBy"
  | "approverKind"
  | "operationId"
  | "refusedCode"
  | "resolution"
>;

/** Where each effect stands by what was recorded of itself, whatever became of those before it. */
export function standingsAlone(story: DecisionStory): readonly EffectStanding[] {
  const count = numberAt(story.outcome.body, "effects") ?? 0;
  return Array.from({ length: count }, (_, index) => standingOf(story, index));
}

/** Says whether people may sign an effect that stands so: nobody has, one of two has, or a signature expired or was withdrawn. */
export function isUnsigned({ state }: EffectStanding): boolean {
  return state === "proposed" || state === "half_signed";
}

const untouched = {
  state: "proposed",
  verdict: null,
  observed: null,
  signedBy: [],
  signaturesNeeded: 1,
  approvedBy: null,
  approverKind: null,
  operationId: null,
  refusedCode: null,
  resolution: null,
} as const;

function standingOf(story: DecisionStory, index: number): EffectStanding {
  const known = new Set(story.following.filter(({ kind }) => kind === "approved").map(({ body }) => textAt(body, "approvalId")));
  const ours = story.following.filter(({ body }) => (numberAt(body, "effectIndex") ?? index) === index);
  const signers: Signers = new Map();
  const told = ours.reduce<EffectStanding>((standing, entry) => afterEntry({ standing, entry, known, signers }), {
    index,
    ...untouched,
    signaturesNeeded: neededFor(story, index),
  });
  const operation = story.operations.filter(({ effect_index }) => effect_index === index).at(-1);
  if (operation === undefined) return told;
  // The operation's row is the truth; the entries say how it came there.
  const state = operationStanding[operation.state];
  // What a person said leads out of that state; what the acting half found of it since is an entry after theirs.
  const resolution = state === "escalated" ? told.resolution : carriedOut(told.resolution);
  return { ...told, state, operationId: operation.id, resolution };
}

/** How many sign it, as the proposal says; where that is gone, as whoever signed first was told. */
function neededFor({ proposal, following }: DecisionStory, index: number): number {
  const risk = proposal?.effects[index]?.risk;
  if (risk !== undefined) return signaturesFor(risk);
  const signed = following.find(({ kind, body }) => kind === "approved" && numberAt(body, "effectIndex") === index);
  return signed === undefined ? 1 : (numberAt(signed.body, "needs") ?? 1);
}

/** Whose signatures stand, by the ids of their approvals. */
type Signers = Map<string, { readonly by: string; readonly kind: "person" | "policy" }>;

function afterEntry({
  standing,
  entry,
  known,
  signers,
}: {
  standing: EffectStanding;
  entry: ReadEntry;
  known: ReadonlySet<string | null>;
  signers: Signers;
}): EffectStanding {
  const { body, bodies } = entry;
  const carried = { resolution: carriedOut(standing.resolution) };
  switch (entry.kind) {
    case "approved": {
      const kind = body["approverKind"] === "policy" ? "policy" : "person";
      signers.set(textAt(body, "approvalId") ?? entry.id, { by: textAt(body, "approver") ?? "", kind });
      return signedBy({ ...standing, refusedCode: null }, signers);
    }
    case "expired":
    case "withdrawn":
      return afterLapse({ standing, entry, signers });
    case "refused":
      return afterRefusal({ standing, entry, known });
    case "resolved":
      return { ...standing, resolution: resolutionOf(entry) ?? standing.resolution };
    case "applying":
      return { ...standing, ...carried, state: "applying", operationId: textAt(body, "operationId") };
    case "applied":
      return { ...standing, ...carried, state: "applied" };
    case "observed": {
      const verdict = verdictOf(body["verdict"]);
      // Bodies of this name are snapshots, by the acting half that writes them.
      const observed = (bodies["observed"] ?? null) as Snapshot;
      const state = body["next"] === "compensate" ? "compensating" : (verdict ?? standing.state);
      return { ...standing, ...carried, verdict, state, observed };
    }
    case "escalated":
      return { ...standing, ...carried, state: "escalated" };
    case "compensated":
      return { ...standing, ...carried, state: "compensated" };
    default:
      return standing;
  }
}

/** `null` where the entry does not say who found what; it then ends nothing. */
function resolutionOf({ body, ts }: ReadEntry): ResolutionView | null {
  const outcome = resolvedOutcomes.find((word) => word === body["outcome"]);
  const by = textAt(body, "by");
  return outcome === undefined || by === null ? null : { outcome, by, at: ts, isDone: false };
}

function carriedOut(resolution: ResolutionView | null): ResolutionView | null {
  return resolution === null ? null : { ...resolution, isDone: true };
}

/** Unused: the effect is as it was before it was signed so. */
function afterLapse({
  standing,
  entry,
  signers,
}: {
  standing: EffectStanding;
  entry: ReadEntry;
  signers: Signers;
}): EffectStanding {
  const isOurs = signers.delete(textAt(entry.body, "approvalId") ?? "");
  const isSigned = standing.state === "signed" || standing.state === "half_signed";
  return isOurs && isSigned ? signedBy(standing, signers) : standing;
}

function afterRefusal({
  standing,
  entry: { body, writer },
  known,
}: {
  standing: EffectStanding;
  entry: ReadEntry;
  known: ReadonlySet<string | null>;
}): EffectStanding {
  // Somebody tried at the desk what they may not; that says nothing of the effect.
  if (writer === "desk") return standing;
  // An approval that nobody is recorded to have given changes nothing: the proposal waits on.
  if (body["approvalId"] != null && !known.has(textAt(body, "approvalId"))) return standing;
  return { ...standing, state: "refused", refusedCode: textAt(body, "code") };
}

function signedBy(standing: EffectStanding, signers: Signers): EffectStanding {
  const signed = [...new Set([...signers.values()].map(({ by }) => by))];
  const last = [...signers.values()].at(-1);
  const state = signed.length === 0 ? "proposed" : signed.length < standing.signaturesNeeded ? "half_signed" : "signed";
  return { ...standing, state, signedBy: signed, approvedBy: last?.by ?? null, approverKind: last?.kind ?? null };
}

const operationStanding: Readonly<Record<OperationState, EffectView["state"]>> = {
  applying: "applying",
  applied: "applied",
  complete: "complete",
  incomplete: "incomplete",
  failed: "failed",
  unknown: "unknown",
  retrying: "applying",
  compensating: "compensating",
  compensated: "compensated",
  escalated: "escalated",
  refused: "refused",
};

function verdictOf(value: unknown): Verdict | null {
  return verdicts.find((verdict) => verdict === value) ?? null;
}
