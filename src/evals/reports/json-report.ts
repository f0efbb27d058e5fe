import type { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { EvalRun } from "../eval-run.ts";
import type { GateResult } from "../gate/finding.ts";
import { figuresOf } from "./figures.ts";
import { evalReport } from "./report-schema.ts";

/** A run with its figures and what its gate said, as it stands in a file. */
export interface EvalReport extends Pick<z.infer<typeof evalReport>, "kind" | "version" | "figures"> {
  readonly run: EvalRun;
  readonly gate: GateResult | null;
}

/** A run as data for other programs. It holds what was asked and answered, so it is kept as the cases themselves are. */
export function jsonReport(run: EvalRun, gate: GateResult | null): EvalReport {
  return {
    kind: "countersign.eval-report",
    version: 1,
    run,
    figures: figuresOf(run) as EvalReport["figures"], // the same words, not readonly
    gate: gate === null ? null : { passed: gate.passed, findings: gate.findings.map(findingOf) },
  };
}

/** Reads a JSON report back. Throws `bad_request` for what is none, and says where. */
export function readJsonReport(text: string): EvalReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CountersignError("bad_request", "the report is no JSON; make one with `countersign eval --report FILE.json`", {
      cause,
    });
  }
  const read = evalReport.safeParse(value);
  if (read.success) return read.data as EvalReport; // the words of states and metrics were ours when it was written
  const [issue] = read.error.issues;
  const at = `/${issue?.path.map(String).join("/") ?? ""}`;
  throw new CountersignError(
    "bad_request",
    `the report is not of version 1: \`${at.slice(0, 200)}\`: ${issue?.message ?? "unknown"}`,
  );
}

/** A gate may know more of its findings than reports tell. */
function findingOf({ rule, metric, capability, slice, passed, value, floor, why }: GateResult["findings"][number]) {
  return { rule, metric, capability, slice, passed, value, floor, why };
}
