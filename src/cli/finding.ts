/**
 * What `check` found in a project, with the way to mend it. An `error` is what cannot work, or breaks unseen; a `hint` is what a
 * finished project has. With `--strict` a hint fails the check too.
 */
export interface Finding {
  readonly level: "error" | "hint";
  /** What it is about, such as `` capability `close_ticket` ``; empty for the project itself. */
  readonly about: string;
  readonly problem: string;
  readonly fix: string;
}

/** A finding as one sentence for people. */
export function sentenceOf({ about, problem, fix }: Finding): string {
  return `${about === "" ? "" : `${about} `}${problem}; ${fix}`;
}
