import type { Json } from "../contract/json.ts";
import { type Fit, fitToSchema, type Schema } from "../contract/schema.ts";

const maxIssues = 4;
const maxIssueLength = 110;

/**
 * Checks a reply against the full schema. The schema may check and never mend: a key it would drop, a default it would fill in
 * or a value it would change is a misfit, since the model did not write what came out.
 */
export async function fitReply<T>(schema: Schema<T>, reply: Json): Promise<Fit<T>> {
  const fit = await fitToSchema(schema, reply);
  if (fit.kind === "misfits") return fit;
  const issues = changesBetween({ written: reply, kept: fit.value, path: "" });
  return issues.length === 0 ? fit : { kind: "misfits", issues };
}

/** The first few issues with their paths in at most 500 characters, each cut short, so that no long text of the model comes back. */
export function problemOf(issues: readonly string[]): string {
  const named = issues.slice(0, maxIssues).map(shortened).join("; ");
  const left = issues.length - maxIssues;
  return left > 0 ? `${named}; and ${left} more` : named;
}

function shortened(issue: string): string {
  const text = issue.toWellFormed().replaceAll("\0", "");
  return text.length <= maxIssueLength ? text : `${text.slice(0, maxIssueLength - 1).toWellFormed()}…`;
}

function changesBetween({ written, kept, path }: { written: unknown; kept: unknown; path: string }): string[] {
  if (written === kept) return [];
  if (!isBranch(written) || !isBranch(kept) || Array.isArray(written) !== Array.isArray(kept)) return [changed(path)];
  const lost = Object.keys(written).flatMap((key) => {
    const below = `${path}/${key}`;
    if (!Object.hasOwn(kept, key)) return [`${below}: this key is not in the schema`];
    return changesBetween({ written: written[key], kept: kept[key], path: below });
  });
  const filledIn = Object.keys(kept).filter((key) => kept[key] !== undefined && !Object.hasOwn(written, key));
  return [...lost, ...filledIn.map((key) => `${path}/${key}: this key is missing`)];
}

function changed(path: string): string {
  return `${path === "" ? "/" : path}: the schema would change this value; write it in the form that the schema keeps`;
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
