import { extname } from "node:path";
import { CountersignError } from "../../contract/errors.ts";
import type { EvalRun } from "../eval-run.ts";
import type { GateResult } from "../gate/finding.ts";
import { htmlReport } from "./html/html-report.ts";
import { jsonReport } from "./json-report.ts";
import { junitReport } from "./junit-report.ts";
import { terminalReport } from "./terminal-report.ts";

/** What a report is made from. */
export interface Reported {
  readonly run: EvalRun;
  readonly gate: GateResult | null;
  /** A second run to compare with. */
  readonly baseline?: EvalRun | null;
}

const makers: Readonly<Record<string, (reported: Reported) => string>> = {
  ".html": htmlReport,
  ".xml": ({ run, gate }) => junitReport(run, gate),
  ".json": ({ run, gate }) => `${JSON.stringify(jsonReport(run, gate), null, 1)}\n`,
  ".txt": ({ run, gate }) => `${terminalReport(run, gate).join("\n")}\n`,
};

/** The maker of the report that a file of this name holds. Throws `bad_request` for another ending, so ask before anything is run. */
export function reportMaker(path: string): (reported: Reported) => string {
  const maker = makers[extname(path).toLowerCase()];
  if (maker !== undefined) return maker;
  const endings = Object.keys(makers).join(", ");
  throw new CountersignError("bad_request", `\`${path.slice(0, 200)}\` is no name of a report; it ends in ${endings}`);
}
