/** One thing that a gate looked at, as reports tell it. */
export interface GateFinding {
  /** Such as `floor`, `regression`, `empty_set` or `judge_down`. */
  readonly rule: string;
  /** `null` where it is about no one metric, capability or slice. */
  readonly metric: string | null;
  readonly capability: string | null;
  readonly slice: string | null;
  readonly passed: boolean;
  /** What came and what was wanted at the least; `null` where there is no such figure. */
  readonly value: number | null;
  readonly floor: number | null;
  /** In one sentence. */
  readonly why: string;
}

/** What a gate said of a run, as reports tell it. */
export interface GateView {
  readonly passed: boolean;
  readonly findings: readonly GateFinding[];
}

/** Where a finding belongs, in words: its metric, capability and slice, as far as there are any. */
export function placeOf({ metric, capability, slice }: GateFinding): string {
  const parts = [metric, capability === null ? null : `of ${capability}`, slice === null ? null : `in slice ${slice}`];
  return parts.filter((part) => part !== null).join(" ");
}
