/** The project under fire: one capability by rule, whose decisions put one to three things. Pure: every process loads it. */
import { z } from "zod";
import type { EffectDraft } from "../../../src/contract/proposal.ts";
import { defineCapability } from "../../../src/define/capability.ts";
import { effectDraft } from "../../../src/define/effect.ts";
import { defineProject } from "../../../src/define/project.ts";
import { from } from "../../../src/define/source.ts";
import { targetKinds } from "../plan.ts";
import { change, effects } from "./effects.ts";

const item = change.extend({ kind: z.enum(targetKinds) });
const input = z.strictObject({ items: z.array(item).min(1).max(3), alone: z.boolean() });

/** What is asked for; `alone` puts the decision in the slice that an owner has opened. */
export type Asked = z.infer<typeof input>;
export type Item = Asked["items"][number];

/** The capability's name, and the slice whose decisions policy lets through. */
export const capabilityName = "put_things";
export const openSlice = "alone";

const capability = defineCapability<Asked, Record<string, never>>({
  name: capabilityName,
  version: "1",
  owner: "service-desk",
  description: "Puts things.",
  openTo: ["employee"],
  input,
  decision: z.strictObject({}),
  needs: () => [],
  deciding: { kind: "rule", version: "1", rule: () => ({}) },
  checks: [],
  slice: ({ inputs }) => (inputs.alone ? openSlice : "people"),
  effects: [...effects.values()].map(({ erased }) => erased),
  propose: ({ inputs }) => ({ summary: "Things are put", effects: inputs.items.map(draftOf) }),
});

// biome-ignore lint/style/noDefaultExport: processes load a project by the default export of its entry files
export default defineProject({ name: "crash", capabilities: [capability] });

function draftOf({ kind, thing, value, weight }: Item, index: number): EffectDraft {
  const effect = effects.get(kind);
  if (effect === undefined) throw new RangeError(`no effect is of kind ${kind}`);
  const at = (name: string) => from.principal(`/items/${index}/${name}`);
  return effectDraft(effect, {
    params: { thing, value, weight },
    sources: { "/thing": at("thing"), "/value": at("value"), "/weight": at("weight") },
  });
}
