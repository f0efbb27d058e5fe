import { stringify } from "yaml";
import { CountersignError } from "../../contract/errors.ts";
import type { EvalCase } from "../case-file.ts";
import { restOf, withoutEmpty } from "./case-rest.ts";

/** Eval cases as a file of ours, YAML or a line of JSON each, by the ending. Throws `bad_request` for another ending. */
export function casesText(cases: readonly EvalCase[], ending: string): string {
  const rows = cases.map((one) => ({ request: one.request, ...restOf(one, withoutEmpty(one.expectations)) }));
  if (ending === ".jsonl") return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  if (ending === ".yaml" || ending === ".yml") return stringify(rows, { lineWidth: 0, aliasDuplicateObjects: false });
  throw new CountersignError("bad_request", "a file of eval cases ends in .yaml, .yml or .jsonl");
}
