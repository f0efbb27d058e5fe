import type { EffectView } from "../../contract/views.ts";

const unbegun: ReadonlySet<EffectView["state"]> = new Set(["proposed", "half_signed", "signed", "refused", "not_started"]);

/** Says whether anything of an effect that stands so may have been sent. */
export function isBegun({ state }: Pick<EffectView, "state">): boolean {
  return !unbegun.has(state);
}
