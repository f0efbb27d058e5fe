/** One effect for each dedupe kind, all the same change: a thing gets a value. Pure. */
import { z } from "zod";
import { type DefinedEffect, defineEffect } from "../../../src/define/effect.ts";
import { bare, bareTimes, type TargetKind, targetKinds, times } from "../plan.ts";

/** What is changed. */
export const change = z.strictObject({
  thing: z.string().min(1).max(80),
  value: z.string().min(1).max(100),
  weight: z.enum(["low", "medium", "high"]),
});
export type Change = z.infer<typeof change>;

/** The query that both halves read a thing by. */
export const thingQuery = "things.byName";

/** The name of a kind's effect. */
export function effectName(kind: TargetKind): string {
  return `put_${kind}`;
}

/** The business key of a change: one thing is put once. */
export function keyOf(thing: string): string {
  return `put:${thing}`;
}

/** The one value that is ever put into a thing. */
export function valueFor(thing: string): string {
  return `value-of-${thing}`;
}

/** Every effect by its kind. */
export const effects: ReadonlyMap<TargetKind, DefinedEffect<Change>> = new Map(targetKinds.map((kind) => [kind, effectOf(kind)]));

function effectOf(kind: TargetKind): DefinedEffect<Change> {
  const { timeoutMs, settleMs } = kind === bare ? bareTimes : times;
  return defineEffect<Change>({
    name: effectName(kind),
    version: "1",
    owner: "service-desk",
    params: change,
    paramRules: {
      thing: { class: "target", sources: ["principal"] },
      value: { class: "amount", sources: ["principal"] },
      weight: { class: "flag", sources: ["principal"] },
    },
    sideEffect: "mutating",
    risk: ({ weight }) => weight,
    reversible: true,
    describe: ({ thing }) => `Put ${thing}`,
    key: ({ thing }) => keyOf(thing),
    dedupe: kind === bare ? "observe" : kind,
    settleMs,
    timeoutMs,
    before: {
      query: thingQuery,
      params: ({ thing }) => ({ kind, thing }),
      project: (rows) => {
        const row = rows[0];
        return row === undefined ? null : { value: String(row["value"]), version: Number(row["version"]) };
      },
    },
    expect: { state: ({ value }) => ({ value }), mayChange: ["version"], deadlineMs: times.deadlineMs },
  });
}
