import type { AnyCase, Branch, BranchEnd } from "../../contract/case.ts";
import { CountersignError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { checkCaseInput, openRunBody } from "../../ledger/cases/run-body.ts";
import { startRun } from "../../ledger/cases/start-run.ts";
import { fitted, type Run } from "./run.ts";

/** A branch that was looked at whole, ready to begin. */
export interface ReadyBranch extends Branch {
  readonly one: AnyCase;
}

/** Checks branches before any of them begins. Throws `definition_invalid` for one of a case that the step does not name, or twice, and `too_large`. */
export async function readyBranches(
  run: Run,
  { branches, cases }: { branches: readonly Branch[]; cases: readonly string[] },
): Promise<readonly ReadyBranch[]> {
  if (branches.length > limits.caseBranches) throw invalid(`a step has more than ${limits.caseBranches} branches`);
  const ready: ReadyBranch[] = [];
  for (const { name, case: of, input } of branches) {
    const one = cases.includes(of) ? run.casing.definitions.current(of) : undefined;
    if (one === undefined) throw invalid(`branch \`${name}\` is of a case that its step does not name`);
    if (!/^[a-z0-9][a-z0-9_.-]{0,62}$/.test(name)) throw invalid("a branch has a name that is none");
    if (ready.some((other) => other.name === name)) throw invalid(`two branches are named \`${name}\``);
    const fit = await fitted(one.input, input);
    checkCaseInput(fit);
    ready.push({ name, case: of, one, input: fit });
  }
  return ready;
}

/** Begins branches as cases of their own, for whoever started the whole; `n` is the step that they belong to. */
export async function beginBranches(run: Run, branches: readonly ReadyBranch[], n: number): Promise<void> {
  const { tx, row, body, casing, now } = run;
  for (const { name, one, input } of branches) {
    const parent = { id: row.id, n, branch: name, given: body.given ?? body.input };
    // Its own key: the same branch of the same step is begun once, and twice in one step are two.
    const key = `${row.id}/${n}/${name}`;
    await startRun(tx, { principal: body.principal, one, id: casing.ids.next(), key, input, at: now, parent }, casing.keys);
  }
}

/** How the branches of a case's step stand, by name, as the store has them. */
export async function readBranches({ tx, row, casing: { keys } }: Run): Promise<{ readonly [name: string]: BranchEnd }> {
  const parts = await tx
    .selectFrom("case_run")
    .select(["tenant", "id", "branch", "state", "outcome", "is_failure", "body", "started_by", "on_behalf_of"])
    .where("tenant", "=", row.tenant)
    .where("parent_id", "=", row.id)
    .where("parent_n", "=", row.n)
    .orderBy("branch")
    .execute();
  const ends = parts.map((part) => {
    const { branch, state, outcome, is_failure: isFailure } = part;
    const { data } = openRunBody(part, { keys });
    return [branch ?? "", { state, outcome, isFailure, data }] as const;
  });
  return Object.fromEntries(ends);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
