/** What a run did. */
export interface RunReport {
  readonly tenant: string;
  readonly source: string;
  readonly isComplete: boolean;
  /** Why it is not complete. */
  readonly detail: string | null;
  readonly filed: number;
  readonly removed: number;
  readonly rescoped: number;
  readonly unchanged: number;
  readonly faults: readonly { readonly path: string; readonly fault: string; readonly detail: string }[];
}

/** Joins what a run did before it looked at its folder anew to what it did after that. */
export function joinReports(before: readonly RunReport[], after: readonly RunReport[]): readonly RunReport[] {
  const earlier = new Map(before.map((one) => [one.tenant, one]));
  const joined = after.map((one): RunReport => {
    const first = earlier.get(one.tenant);
    earlier.delete(one.tenant);
    if (first === undefined) return one;
    return {
      ...one,
      filed: first.filed + one.filed,
      removed: first.removed + one.removed,
      rescoped: first.rescoped + one.rescoped,
    };
  });
  return [...earlier.values(), ...joined];
}
