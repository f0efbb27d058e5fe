import { z } from "zod";
import { feedName } from "../mappings/mappings.ts";

/** A row of a feed: named by a job that walks through the file, or in a sentence of a person. */
export const rowRequest = z.union([
  z.strictObject({ file: z.string().regex(feedName), line: z.int().min(1).max(100_000) }),
  z.strictObject({ text: z.string().trim().min(1).max(2000) }),
]);
export type RowRequest = z.infer<typeof rowRequest>;

/** A whole feed, in the same two ways. */
export const feedRequest = z.union([
  z.strictObject({ file: z.string().regex(feedName) }),
  z.strictObject({ text: z.string().trim().min(1).max(2000) }),
]);
export type FeedRequest = z.infer<typeof feedRequest>;

/** The one feed that a request names, or `null`. */
export function fileNamed(inputs: FeedRequest | RowRequest): string | null {
  if ("file" in inputs) return inputs.file;
  const named = new Set(inputs.text.match(/\b(?:norda|pelican)-\d{4}-\d{2}-\d{2}\.(?:csv|json)\b/g) ?? []);
  return named.size === 1 ? ([...named][0] ?? null) : null;
}

/** The one line that a request names, such as `line 4`, or `null`. */
export function lineNamed(inputs: RowRequest): number | null {
  if ("line" in inputs) return inputs.line;
  const named = new Set([...inputs.text.matchAll(/\b(?:line|row|zeile)\s+(\d{1,6})\b/gi)].map(([, number]) => Number(number)));
  const [line] = named;
  return named.size === 1 && line !== undefined && line > 0 ? line : null;
}

/** Stops a request that names no single row. */
export function checkRowNamed({ inputs }: { inputs: RowRequest }) {
  if (fileNamed(inputs) !== null && lineNamed(inputs) !== null) return { kind: "pass" } as const;
  const detail = "Name one feed and one line, such as line 4 of norda-2026-11-27.csv.";
  return { kind: "stop", reason: "reference_unresolved", detail } as const;
}

/** Stops a request that names no single feed. */
export function checkFeedNamed({ inputs }: { inputs: FeedRequest }) {
  if (fileNamed(inputs) !== null) return { kind: "pass" } as const;
  const detail = "Name one feed, such as norda-2026-11-27.csv.";
  return { kind: "stop", reason: "reference_unresolved", detail } as const;
}
