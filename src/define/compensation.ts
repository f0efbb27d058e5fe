import { z } from "zod";
import type { Capability } from "../contract/capability.ts";
import type { AnyEffect, Compensation, Snapshot } from "../contract/effect.ts";
import { type Json, leavesOf } from "../contract/json.ts";
import { defineCapability } from "./capability.ts";

const prefix = "undo.";

/** The name of the capability that proposes the undoing of an effect. */
export function compensationOf(effect: string): string {
  return `${prefix}${effect}`;
}

/** Says whether a capability is one that undoes; those are made by `defineProject`, and no other has such a name. */
export function isCompensation({ name }: Pick<Capability, "name">): boolean {
  return name.startsWith(prefix);
}

/** What the acting half hands over of an operation that went wrong. */
const wrong = z.strictObject({
  operationId: z.uuid(),
  params: z.custom<Json>((value) => value !== undefined),
  before: z.custom<Snapshot>((value) => typeof value === "object" && !Array.isArray(value)),
  observed: z.custom<Snapshot>((value) => typeof value === "object" && !Array.isArray(value)),
});

/**
 * The capability that proposes the compensating effect of one that went wrong: by a rule, for whoever asked for the first, open to
 * nobody. What it proposes is routed and signed like every other proposal. `null` where the effect does not say how it is undone.
 */
export function compensationCapability(effect: AnyEffect): Capability | null {
  const { compensate } = effect;
  if (compensate === undefined) return null;
  return defineCapability({
    name: compensationOf(effect.name),
    version: `${effect.version}.${compensate.effect.version}`,
    owner: effect.owner,
    description: `Undoes what ${effect.name} left, with ${compensate.effect.name}.`,
    openTo: [],
    input: wrong,
    decision: z.strictObject({ undo: z.literal(true) }),
    needs: () => [],
    deciding: { kind: "rule", version: "1", rule: () => ({ undo: true }) },
    checks: [],
    effects: [compensate.effect],
    propose: ({ inputs }) => ({
      summary: `${effect.name} went wrong; it is to be undone`,
      effects: [draftOf(compensate, inputs)],
    }),
    label: () => "undo",
    keepsInputs: true,
  });
}

function draftOf(compensate: Compensation, { params, before, observed }: z.infer<typeof wrong>) {
  const undoing = compensate.params({ params, before, observed });
  return { effect: compensate.effect, params: undoing, sources: sourcesOf(undoing) };
}

/** Every value was computed from the operation that went wrong; no person and no model chose any of them. */
function sourcesOf(params: Json) {
  const source = { kind: "calculation", chosenBy: "code", ref: "compensation", at: null } as const;
  return Object.fromEntries(leavesOf(params).map(({ pointer }) => [pointer, source]));
}
