import { type Decided, defineCapability, type LoadedContext, rowsOf } from "countersign";
import { z } from "zod";
import { postAdjustment, postMatch } from "../effects.ts";
import { custodianOf } from "../mappings/mappings.ts";
import { matchRow, movementLimit, type Ruling, rulesVersion } from "../matching-rules.ts";
import { adjustmentDraft, matchDraft } from "./draft-posting.ts";
import { anyAge, isOfCurrentMapping, mappedRecord, movementsOf, ruledRow } from "./feed-record.ts";
import { checkRowNamed, fileNamed, lineNamed, type RowRequest, rowRequest } from "./row-named.ts";

/** What the rules say: post a match, adjust what a person signs, or an exception by its name. */
const decision = z.strictObject({
  outcome: z.enum(["match", "adjust", "exception"]),
  name: z.string().min(1).max(40),
  movement: z.string().nullable(),
  differenceMinor: z.int(),
  says: z.string().max(300),
});
type Decision = z.infer<typeof decision>;
type Reconciling = Decided<RowRequest, Decision>;

/** Reconciles one row of a custodian's feed with the books. Rules in code decide; there is no model in this project. */
export const reconcileRow = defineCapability<RowRequest, Decision>({
  name: "reconcile_row",
  version: "1",
  owner: "accounting",
  description: "Reconcile one line of a custodian's feed with the books.",
  refuses: "The line cannot be read, or no rule says without doubt which movement it is: then it is reported by name.",
  examples: [
    example("line 2 of norda-2026-01-02.csv", "row of -10.00 EUR, the books have the same", [
      "match",
      "exact_reference",
      "mov-0001",
      0,
    ]),
    example("line 3 of norda-2026-01-02.csv", "row of 9.95 EUR, the books have 10.00", ["adjust", "difference", "mov-0002", -5]),
    example("line 4 of pelican-2026-01-02.json", "a fee of 3.00 GBP, not in the books", [
      "adjust",
      "missing_in_books",
      null,
      -300,
    ]),
    example("line 5 of norda-2026-01-02.csv", "row of -10.00 EUR, the books have 10.00", ["exception", "sign_flipped", null, 0]),
    example("line 6 of norda-2026-01-02.csv", "an amount of 15.500", ["exception", "row_faulty", null, 0]),
  ],
  openTo: ["accountant"],
  keepsInputs: true,
  input: rowRequest,
  decision,
  preCheck: checkRowNamed,
  needs: ({ inputs }) => {
    const file = fileNamed(inputs) ?? "";
    const params = { file, line: lineNamed(inputs) };
    return [
      { kind: "records", name: "row", query: "feeds.rows", params, maxAgeMs: anyAge },
      { kind: "records", name: "movement", query: "books.movements", params: { custodian: custodianOf(file) }, maxAgeMs: 30_000 },
    ];
  },
  deciding: { kind: "rule", version: rulesVersion, rule: ({ context }) => decisionOf(rulingOn(context)) },
  checks: [
    { name: "row_read_once", run: checkOnce },
    { name: "mapping_in_force", run: checkMapping },
    { name: "books_read_whole", run: checkWhole },
  ],
  // An owner opens the matches, rule by rule. An adjustment is never of low risk, so no slice lets one through.
  slice: ({ decision: { name } }) => name,
  effects: [postMatch.erased, postAdjustment.erased],
  label: ({ name }) => name,
  propose,
});

type Shown = [outcome: Decision["outcome"], name: string, movement: string | null, differenceMinor: number];

function example(text: string, given: string, [outcome, name, movement, differenceMinor]: Shown) {
  return { inputs: { text }, given, decision: { outcome, name, movement, differenceMinor, says: "" } };
}

/** What the rules say of the row that was loaded. What keeps a row from the rules has a name too. */
function rulingOn(context: LoadedContext): Ruling {
  const [source] = rowsOf(context, "row");
  if (source === undefined) return { kind: "exception", name: "row_not_found", says: "the feed has no such line" };
  const row = mappedRecord(source);
  if (row === null)
    return { kind: "exception", name: "row_faulty", says: String(source.row["fault"] ?? "the row has another form") };
  if (row.repeats_line !== null) {
    return { kind: "exception", name: "row_repeated", says: `the line says the same as line ${row.repeats_line}` };
  }
  if (row.shares_reference) {
    return { kind: "exception", name: "duplicate_reference", says: "another line has the same reference and other content" };
  }
  const movements = movementsOf(context);
  if (movements === null) return { kind: "exception", name: "books_malformed", says: "a movement of the books has another form" };
  return matchRow(ruledRow(row), movements);
}

function decisionOf(ruling: Ruling): Decision {
  switch (ruling.kind) {
    case "match":
      return { outcome: "match", name: ruling.name, movement: ruling.movement.id, differenceMinor: 0, says: "" };
    case "adjust": {
      const { name, movement, differenceMinor } = ruling;
      return { outcome: "adjust", name, movement: movement?.id ?? null, differenceMinor, says: "" };
    }
    case "exception":
      return { outcome: "exception", name: ruling.name, movement: null, differenceMinor: 0, says: ruling.says };
  }
}

function checkOnce({ context, inputs, decision: { name } }: Reconciling) {
  const rows = rowsOf(context, "row");
  const isNamed = rows.every(({ row }) => row["file"] === fileNamed(inputs) && row["line"] === lineNamed(inputs));
  const passed = isNamed && (rows.length === 1 || (rows.length === 0 && name === "row_not_found"));
  return { passed, evidence: `${rows.length} rows were read for the line` };
}

function checkMapping({ context }: Reconciling) {
  const passed = rowsOf(context, "row").every(isOfCurrentMapping);
  return { passed, evidence: passed ? "read with the mapping in force" : "read with another version of the mapping" };
}

function checkWhole({ context }: Reconciling) {
  const count = rowsOf(context, "movement").length;
  return { passed: count <= movementLimit, evidence: `${count} movements, at most ${movementLimit} are ruled on` };
}

function propose(decided: Reconciling) {
  const { context, decision: said, inputs } = decided;
  const [source] = rowsOf(context, "row");
  const named = `line ${lineNamed(inputs)} of ${fileNamed(inputs)}`;
  if (source === undefined) return { summary: `No ${named}`, refusal: "The feed has no such line." };
  const row = mappedRecord(source);
  const movement = rowsOf(context, "movement").find((one) => one.row["id"] === said.movement) ?? null;
  const claims = [
    row === null
      ? {
          text: "Line {{row.line}} of {{row.file}} could not be read by {{row.mapping}}: {{row.fault}}, {{row.says}}.",
          source: source.id,
        }
      : {
          text: "Line {{row.line}} of {{row.file}}, read by {{row.mapping}}: {{row.reference}}, {{row.amount}} on {{row.booked_on}}.",
          source: source.id,
        },
    ...(movement === null
      ? []
      : [{ text: "The books have {{movement.id}}: {{movement.amount}} on {{movement.booked_on}}.", source: movement.id }]),
  ];
  if (row === null || said.outcome === "exception") {
    return {
      summary: `An exception: ${said.name}, ${named}`,
      claims,
      refusal: `${said.name}: ${said.says}. A person looks at it.`,
    };
  }
  const effects = [
    said.outcome === "match" ? matchDraft({ said, source, row, movement }) : adjustmentDraft({ said, source, row, movement }),
  ];
  return { summary: `${said.outcome === "match" ? "A match" : "An adjustment"} by ${said.name}: ${named}`, claims, effects };
}
