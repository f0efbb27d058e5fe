import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { type TriageLabel, triageLabels } from "./labels.ts";

const line = z.strictObject({
  /** A decision's id, or `case ` and an eval case's id. */
  failure: z.string().min(1).max(200),
  label: z.enum(triageLabels),
  note: z.string().max(500).optional(),
  at: z.iso.datetime(),
});

/** A label that a person has set. */
export type SetLabel = z.infer<typeof line>;

/** Where a project keeps its labels: a line each, so that a triage that was broken off goes on where it was. */
export function labelPath(project: string): string {
  return join(project, "evals", "triage", "labels.jsonl");
}

/** Reads what was set, by failure; what was set last holds. Throws `bad_request` for a line that is no label. */
export async function readTriageLabels(project: string): Promise<ReadonlyMap<string, SetLabel>> {
  const path = labelPath(project);
  if (!existsSync(path)) return new Map();
  const lines = (await readFile(path, "utf8")).split("\n");
  return new Map(
    lines.flatMap((text, at) => (text.trim() === "" ? [] : [readLine(text, at + 1)])).map((one) => [one.failure, one]),
  );
}

function readLine(text: string, at: number): SetLabel {
  try {
    return line.parse(JSON.parse(text));
  } catch (cause) {
    throw new CountersignError("bad_request", `line ${at} of the labels is none: mend it or take it out`, { cause });
  }
}

/** Sets a label, at once. Throws `bad_request` for a word that is no label. */
export async function setLabel(
  project: string,
  set: { failure: string; label: string; note?: string; at: number },
): Promise<TriageLabel> {
  const parsed = line.safeParse({ ...set, at: new Date(set.at).toISOString() });
  if (!parsed.success) {
    const message = `a label is one of ${triageLabels.map((one) => `\`${one}\``).join(", ")}, with a note of at most 500 characters`;
    throw new CountersignError("bad_request", message);
  }
  const path = labelPath(project);
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${JSON.stringify(parsed.data)}\n`);
  return parsed.data.label;
}
