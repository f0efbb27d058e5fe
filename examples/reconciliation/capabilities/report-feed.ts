import { type Decided, defineCapability, type LoadedContext, rowsOf } from "countersign";
import { z } from "zod";
import { anyAge, isOfCurrentMapping, mappedRecord } from "./feed-record.ts";
import { checkFeedNamed, type FeedRequest, feedRequest, fileNamed } from "./row-named.ts";

/** How many lines a feed has, how many of them can go to the rules, and each other one by its name. */
const decision = z.strictObject({
  lines: z.int().min(0),
  ready: z.int().min(0),
  reported: z.array(z.strictObject({ line: z.int(), name: z.string() })),
});
type Report = z.infer<typeof decision>;
type Reporting = Decided<FeedRequest, Report>;

/** Reports what of a feed cannot be reconciled by rule: each line that cannot be read, that repeats another, or shares its reference. */
export const reportFeed = defineCapability<FeedRequest, Report>({
  name: "report_feed",
  version: "1",
  owner: "accounting",
  description: "Report what of a custodian's feed cannot be read or taken as it stands.",
  refuses: "The feed is not there, or holds nothing.",
  examples: [
    example("What is wrong in norda-2026-01-02.csv?", "3 lines, all read", { lines: 3, ready: 3, reported: [] }),
    example("report pelican-2026-01-02.json", "2 lines, the second without a date", {
      ...{ lines: 2, ready: 1, reported: [{ line: 2, name: "date_impossible" }] },
    }),
    example("norda-2026-01-03.csv please", "2 lines that say the same", {
      ...{ lines: 2, ready: 1, reported: [{ line: 3, name: "row_repeated" }] },
    }),
    example("norda-2026-01-04.csv", "no lines", { lines: 0, ready: 0, reported: [] }),
  ],
  openTo: ["accountant"],
  keepsInputs: true,
  input: feedRequest,
  decision,
  preCheck: checkFeedNamed,
  needs: ({ inputs }) => [
    { kind: "records", name: "row", query: "feeds.rows", params: { file: fileNamed(inputs), line: null }, maxAgeMs: anyAge },
  ],
  deciding: { kind: "rule", version: "1", rule: ({ context }) => reportOf(context) },
  checks: [
    { name: "every_line_accounted", run: checkEvery },
    { name: "mapping_in_force", run: checkMapping },
  ],
  label: ({ lines, reported }) => (lines === 0 ? "empty" : reported.length === 0 ? "clean" : "reported"),
  propose: ({ context, decision: { lines, ready, reported }, inputs }) => {
    const summary = `${fileNamed(inputs)}: ${ready} of ${lines} lines can be reconciled by rule`;
    if (lines === 0) return { summary, refusal: "The feed holds no line." };
    const rows = rowsOf(context, "row");
    const claims = reported.flatMap(({ line, name }) =>
      rows
        .filter(({ row }) => row["line"] === line)
        .map(({ id, row }) => ({ text: textOf(name, row["says"] !== null), source: id })),
    );
    return { summary, claims };
  },
});

function example(text: string, given: string, report: Report) {
  return { inputs: { text }, given, decision: report };
}

function textOf(name: string, isFaulty: boolean): string {
  if (isFaulty) return "Line {{row.line}}: {{row.fault}}, {{row.says}}.";
  // In words: what is written like an id would have to stand in the feed.
  const why = name === "row_repeated" ? "it says what an earlier line says" : "its reference stands on another line too";
  return `Line {{row.line}}, {{row.reference}}: ${why}.`;
}

function reportOf(context: LoadedContext): Report {
  const rows = rowsOf(context, "row");
  const reported = rows.flatMap((source) => {
    const line = Number(source.row["line"]);
    const row = mappedRecord(source);
    if (row === null) return [{ line, name: String(source.row["fault"]) }];
    if (row.repeats_line !== null) return [{ line, name: "row_repeated" }];
    return row.shares_reference ? [{ line, name: "duplicate_reference" }] : [];
  });
  return { lines: rows.length, ready: rows.length - reported.length, reported };
}

/** The reader says of each row how many the file has; a row that got lost on the way would be missing here. */
function checkEvery({ context, decision: { lines, ready, reported } }: Reporting) {
  const rows = rowsOf(context, "row");
  const isWhole =
    rows.every(({ row }) => row["of_lines"] === rows.length) && new Set(rows.map(({ id }) => id)).size === rows.length;
  const passed = isWhole && lines === rows.length && ready + reported.length === lines;
  return { passed, evidence: `${rows.length} rows, ${ready} ready and ${reported.length} reported` };
}

function checkMapping({ context }: Reporting) {
  const passed = rowsOf(context, "row").every(isOfCurrentMapping);
  return { passed, evidence: passed ? "read with the mapping in force" : "read with another version of the mapping" };
}
