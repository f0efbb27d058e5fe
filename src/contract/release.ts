/** What an effect is put through before policy may let it pass alone: one word for each cell of the matrix, in the order of the table. */
export const releaseCells = [
  "target_permitted",
  "target_denied",
  "tenant_permitted",
  "tenant_denied",
  "environment_permitted",
  "environment_denied",
  "stale_state",
  "approval_expired",
  "credential_expired",
  "timeout_before",
  "timeout_after",
  "duplicate_submit",
  "partial_failure",
  "verifier_looks",
  "verifier_failure",
  "compensation_limits",
  "hand_off",
] as const;
export type ReleaseCell = (typeof releaseCells)[number];

/** What a cell came to. Without a sample it did not run, and that is no pass; one that does not apply says why. */
export interface CellResult {
  readonly cell: ReleaseCell;
  readonly state: "passed" | "failed" | "no_sample" | "not_applicable";
  /** One sentence for people: what was seen. */
  readonly says: string;
}

/** One run of the matrix over one effect. */
export interface ReleaseReport {
  readonly effect: string;
  readonly version: string;
  /** Those that the effect names; it was carried out in each. */
  readonly environments: readonly string[];
  /** SHA-256 over what the definition says as data; its functions are not in it. */
  readonly definition: string;
  readonly isPassed: boolean;
  readonly cells: readonly CellResult[];
}

/** Says whether nothing stands against a release: every cell is there, and each passed or does not apply. */
export function isReleased(cells: readonly CellResult[]): boolean {
  const isWhole = releaseCells.every((name) => cells.some(({ cell }) => cell === name));
  return isWhole && cells.every(({ state }) => state === "passed" || state === "not_applicable");
}
