import { resolve } from "node:path";
import type { EvalRunDetail } from "../contract/eval-view.ts";
import type { Project } from "../define/project.ts";
import { readEvalRuns } from "../evals/read.ts";
import { openDatabase } from "../store/database.ts";
import { wholeOf } from "./amounts.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { loadEntry } from "./load.ts";
import { print } from "./print.ts";

/** Lists the runs of a project that the installation keeps, newest first. Throws `configuration_invalid` where nothing is installed. */
export async function evalHistory({
  project: folder,
  directory,
  limit,
  json,
}: {
  project: string;
  directory: string;
  limit: string;
  json?: true;
}): Promise<void> {
  const { name } = await loadEntry<Project>(folder, "project");
  const most = wholeOf("--limit", limit, 9_999);
  const runs = await withRoleUrl({ directory: resolve(directory), role: "desk" }, async (url) => {
    const database = openDatabase({ url, role: "desk", connections: 1 });
    try {
      return await readEvalRuns(database, { project: name, limit: most });
    } finally {
      await database.close();
    }
  });
  print({ json, value: { items: runs }, lines: runs.length === 0 ? [`no run of \`${name}\` is kept here`] : runs.map(lineOf) });
}

function lineOf({
  id,
  startedAt,
  cases,
  passedCases,
  repeats,
  isSelection,
  gatePassed,
  findings,
  failing,
}: EvalRunDetail): string {
  const gate = gatePassed === null ? "no gate" : gatePassed ? "gate passed" : `gate NOT passed (${nameOf(findings)})`;
  const names = failing.slice(0, 3).map((one) => one.id);
  const failed = names.length === 0 ? "" : `; failing: ${names.join(", ")}${failing.length > names.length ? " and more" : ""}`;
  const part = isSelection ? ", a choice of the cases" : "";
  const at = new Date(startedAt).toISOString().slice(0, 19);
  return `${at}Z  ${passedCases} of ${cases} cases, ${repeats} repeats each${part}: ${gate}${failed}  ${id}`;
}

function nameOf(findings: EvalRunDetail["findings"]): string {
  return [...new Set(findings.map(({ rule, metric }) => (metric === null ? rule : `${rule} ${metric}`)))].slice(0, 5).join(", ");
}
