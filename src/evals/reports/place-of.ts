import type { GateFinding } from "../gate/finding.ts";

/** Where a finding belongs, in words: its metric, capability and slice, as far as there are any. */
export function placeOf({ metric, capability, slice }: GateFinding): string {
  const parts = [metric, capability === null ? null : `of ${capability}`, slice === null ? null : `in slice ${slice}`];
  return parts.filter((part) => part !== null).join(" ");
}
