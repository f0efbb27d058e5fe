import type { AnyEffect, Effect } from "../contract/effect.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { idPattern } from "../contract/limits.ts";
import type { EffectDraft, SourceClaim } from "../contract/proposal.ts";
import { onePpm, type Risk } from "../contract/words.ts";

/** What must be said of an effect. `risk` may be a word or a function of the params. */
export type EffectDefinition<P extends Json> = Omit<Effect<P>, "risk" | "requires" | "timeoutMs" | "environments"> & {
  readonly risk: Risk | ((params: P) => Risk);
} & Partial<Pick<Effect<P>, "requires" | "timeoutMs" | "environments">>;

/** An effect that still knows the type of its params; hand it to `implementEffect` and `effectDraft`. */
export type DefinedEffect<P extends Json> = Effect<P> & { readonly erased: AnyEffect };

/**
 * Defines the contract of one change; its hands are written apart, in `hands.ts`. Throws `definition_invalid` where it breaks a rule.
 * An effect that changes something must say what is true afterwards (`expect`), or it does not compile.
 */
export function defineEffect<P extends Json>(definition: EffectDefinition<P>): DefinedEffect<P> {
  const { risk } = definition;
  const effect: Effect<P> = {
    requires: [],
    timeoutMs: 10_000,
    environments: ["demo"],
    ...definition,
    risk: typeof risk === "function" ? risk : () => risk,
  };
  checkEffect(effect);
  // The params' type ends here on purpose: `effectDraft` and the acting half parse params with this effect's own schema first.
  const erased = Object.freeze({ ...effect }) as unknown as AnyEffect;
  return Object.freeze({ ...effect, erased });
}

/** Proposes an effect with typed params; `sources` says for each leaf (JSON pointer) where its value comes from. */
export function effectDraft<P extends Json>(
  effect: DefinedEffect<P>,
  { params, sources }: { params: P; sources: { readonly [pointer: string]: SourceClaim } },
): EffectDraft {
  return { effect: effect.erased, params, sources };
}

function checkEffect<P extends Json>(effect: Effect<P>): void {
  const named = `effect \`${effect.name}\``;
  if (!idPattern.test(effect.name)) throw invalid(`${named} has not the form of an id`);
  if (effect.owner.trim() === "") throw invalid(`${named} needs an owner who is called when it goes wrong`);
  if (!Number.isInteger(effect.settleMs) || effect.settleMs < 0)
    throw invalid(`${named} needs \`settleMs\` in whole milliseconds`);
  if (!isLimit(effect.timeoutMs) || !isLimit(effect.expect.deadlineMs))
    throw invalid(`${named} needs time limits in whole milliseconds above 0`);
  if (effect.dedupe === "observe" && effect.settleMs === 0)
    throw invalid(`${named} relies on observing alone, so \`settleMs\` must cover a send that is still in flight`);
  checkRecovery(effect, named);
}

function checkRecovery<P extends Json>({ before, recovery, limits, name, compensate }: Effect<P>, named: string): void {
  const wild = Object.entries(before.tolerance ?? {}).find(([, { ppm }]) => !Number.isInteger(ppm) || ppm < 0 || ppm >= onePpm);
  if (wild !== undefined) throw invalid(`${named} tolerates of \`${wild[0]}\` no whole share between 0 and 999,999 ppm`);
  if (recovery !== undefined && !isLimit(recovery.maxSends))
    throw invalid(`${named} needs \`maxSends\` in whole numbers above 0`);
  if (limits?.perHour !== undefined && !isLimit(limits.perHour))
    throw invalid(`${named} needs \`perHour\` in whole numbers above 0`);
  if (compensate?.effect.name === name) throw invalid(`${named} cannot undo itself; write another effect for that`);
}

function isLimit(number: number): boolean {
  return Number.isInteger(number) && number > 0;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
