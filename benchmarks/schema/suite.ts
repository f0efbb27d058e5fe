import { z } from "zod";
import { isCountersignError } from "../../src/contract/errors.ts";
import type { Json } from "../../src/contract/json.ts";
import { jsonContract } from "../../src/json-schema/json-contract.ts";
import { type Agreement, agreementOf, compileBaseline, fits, type SchemaDraft } from "./baseline.ts";
import type { Measured } from "./timing.ts";

/** One test of the official suite: whether a value fits a schema. */
export const suiteTest = z.object({
  id: z.string(),
  draft: z.enum(["draft2020-12", "draft7"]),
  keyword: z.string(),
  optional: z.boolean(),
  format_assertion: z.boolean(),
  needs_remote_or_metaschema: z.boolean(),
  schema: z.union([z.boolean(), z.record(z.string(), z.custom<Json>())]),
  data: z.custom<Json>(),
  valid: z.boolean(),
});
export type SuiteTest = z.infer<typeof suiteTest>;

/** Of one draft: what is required, and what the suite calls optional or needs documents from elsewhere for. */
export interface SuiteScore {
  readonly draft: SuiteTest["draft"];
  readonly required: Agreement & { readonly failing: readonly string[] };
  readonly optional: Agreement & {
    /** The schema was refused, so nothing passed. */
    readonly refused: number;
    /** Accepted against the suite: the direction that lets data pass. */
    readonly acceptedWrongly: number;
  };
  readonly rawAjvRequired: Agreement;
}

/** Scores the tests of each draft, and gives the validations that are worth a timing. */
export function scoreSuite(tests: readonly SuiteTest[]): {
  readonly scores: readonly SuiteScore[];
  readonly measured: readonly Measured[];
} {
  const rulings = tests.map((test) => ({ test, ...rule(test) }));
  const drafts = [...new Set(tests.map(({ draft }) => draft))].sort();
  return {
    scores: drafts.map((draft) =>
      scoreOf(
        draft,
        rulings.filter(({ test }) => test.draft === draft),
      ),
    ),
    measured: rulings.flatMap(({ measured }) => measured),
  };
}

interface Ruling {
  readonly test: SuiteTest;
  readonly said: boolean | "refused";
  readonly ajv: boolean | "refused";
}

function rule({ schema, data, draft: named, optional, needs_remote_or_metaschema }: SuiteTest) {
  const draft: SchemaDraft = named === "draft7" ? "7" : "2020-12";
  const isRequired = !optional && !needs_remote_or_metaschema;
  const contract = contractOf(schema, draft);
  const said = contract === null ? ("refused" as const) : fits(contract, data);
  const raw = isRequired ? compileBaseline(schema, draft) : null;
  const ajv = raw === null ? ("refused" as const) : raw(data);
  const measured: Measured[] =
    contract !== null && raw !== null ? [{ ours: () => fits(contract, data), raw: () => raw(data) }] : [];
  return { said, ajv, measured };
}

function contractOf(schema: SuiteTest["schema"], draftWithoutName: SchemaDraft) {
  try {
    return jsonContract(schema, { draftWithoutName });
  } catch (thrown) {
    if (isCountersignError(thrown, "definition_invalid")) return null;
    throw thrown;
  }
}

function scoreOf(draft: SuiteTest["draft"], rulings: readonly Ruling[]): SuiteScore {
  const isRequired = ({ test }: Ruling) => !test.optional && !test.needs_remote_or_metaschema;
  const isRight = ({ test, said }: Ruling) => said === test.valid;
  const required = rulings.filter(isRequired);
  const optional = rulings.filter((ruling) => !isRequired(ruling));
  return {
    draft,
    required: {
      ...agreementOf(required.length, required.filter(isRight).length),
      failing: required.filter((ruling) => !isRight(ruling)).map(({ test }) => test.id),
    },
    optional: {
      ...agreementOf(optional.length, optional.filter(isRight).length),
      refused: optional.filter(({ said }) => said === "refused").length,
      acceptedWrongly: optional.filter(({ test, said }) => said === true && !test.valid).length,
    },
    rawAjvRequired: agreementOf(required.length, required.filter(({ test, ajv }) => ajv === test.valid).length),
  };
}
