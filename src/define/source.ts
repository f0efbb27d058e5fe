import type { RecordRow } from "../contract/context.ts";
import type { Fact } from "../contract/fact.ts";
import type { SourceClaim } from "../contract/proposal.ts";

/** Where a value comes from, said in code; `prepare_proposal` checks each against what was really loaded. */
export const from = {
  /** A field of a record that was loaded; `at` is a pointer into the row. `chosenBy` says who picked this row. */
  record: (row: RecordRow, at: string, chosenBy: SourceClaim["chosenBy"] = "code"): SourceClaim => ({
    kind: "record",
    chosenBy,
    ref: row.id,
    at,
  }),
  /** The object of a fact that was loaded. */
  fact: (fact: Fact, chosenBy: SourceClaim["chosenBy"] = "code"): SourceClaim => ({
    kind: "fact",
    chosenBy,
    ref: fact.id,
    at: "/object",
  }),
  /** A part of the request's inputs, as the principal wrote it. */
  principal: (at: string): SourceClaim => ({ kind: "principal", chosenBy: "principal", ref: "inputs", at }),
  /** The id of who asks. */
  requester: (): SourceClaim => ({ kind: "principal", chosenBy: "code", ref: "principal", at: "/id" }),
  /** A value written in the capability's code. */
  constant: (): SourceClaim => ({ kind: "constant", chosenBy: "code", ref: null, at: null }),
  /** A value computed by named code. */
  calculation: (name: string): SourceClaim => ({ kind: "calculation", chosenBy: "code", ref: name, at: null }),
  /** A value that the model wrote. */
  model: (): SourceClaim => ({ kind: "model", chosenBy: "model", ref: null, at: null }),
} as const;
