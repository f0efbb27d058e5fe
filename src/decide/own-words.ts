import type { Capability } from "../contract/capability.ts";
import { atPointer, canonicalJson, type Json, leavesOf } from "../contract/json.ts";
import type { Journal } from "../contract/ports.ts";
import type { EffectDraft, SourceClaim } from "../contract/proposal.ts";
import { standsIn } from "./stands-in.ts";

/**
 * A capability for inputs that the principal did not write, such as those that a case computed. What it claims to be the principal's own
 * counts so only where it stands in what they gave; anything else of these inputs may come from a model's proposal, and counts as the
 * model's. `given` is what the principal gave, `null` for nothing.
 */
export function ownWordsOnly(capability: Capability, given: Json): Capability {
  const leaves = leavesOf(given);
  return {
    ...capability,
    propose: (decided) => {
      const draft = capability.propose(decided);
      if (draft.effects === undefined) return draft;
      return { ...draft, effects: draft.effects.map((effect) => lowered(effect, leaves)) };
    },
  };
}

/** A journal that keeps what the principal gave beside the inputs, so that a replay and an edit know it too. */
export function keepingGiven(journal: Journal, { capability, given }: { capability: Capability; given: Json }): Journal {
  if (!capability.keepsInputs) return journal;
  return { open: journal.open, close: (record) => journal.close({ ...record, bodies: { ...record.bodies, given } }) };
}

type Leaves = ReturnType<typeof leavesOf>;

const written: SourceClaim = { kind: "model", chosenBy: "model", ref: null, at: null };

function lowered(effect: EffectDraft, given: Leaves): EffectDraft {
  const sources = Object.entries(effect.sources).map(([pointer, claim]) => {
    const isOfInputs = claim.kind === "principal" && claim.ref === "inputs";
    return [pointer, isOfInputs && !isGiven(atPointer(effect.params, pointer), claim, given) ? written : claim] as const;
  });
  return { ...effect, sources: Object.fromEntries(sources) };
}

/** Words count wherever they stand; a number or a yes says nothing by itself, so it must bear the same name. */
function isGiven(value: Json | undefined, { at }: SourceClaim, given: Leaves): boolean {
  if (value === undefined) return false;
  return given.some((leaf) => {
    if (typeof value === "string") return typeof leaf.value === "string" && (leaf.value === value || standsIn(leaf.value, value));
    return canonicalJson(leaf.value) === canonicalJson(value) && lastOf(leaf.pointer) === lastOf(at ?? "");
  });
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf("/") + 1);
}
