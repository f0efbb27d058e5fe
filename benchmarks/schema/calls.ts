import { z } from "zod";
import { isCountersignError } from "../../src/contract/errors.ts";
import type { Json } from "../../src/contract/json.ts";
import type { Schema } from "../../src/contract/schema.ts";
import { jsonContract } from "../../src/json-schema/json-contract.ts";
import { type Agreement, agreementOf, compileBaseline, fits } from "./baseline.ts";
import type { Measured } from "./timing.ts";

const record = z.record(z.string(), z.custom<Json>());

/** A tool of somebody else's with a call that fits its contract and calls that do not. */
export const toolCalls = z.object({
  id: z.string(),
  tool: z.object({ name: z.string(), parameters: record }),
  gold_call: z.object({ arguments: record }),
  gold_call_schema_errors: z.array(z.string()),
  invalid_calls: z.array(z.object({ why: z.string(), arguments: z.custom<Json>() })),
});
export type ToolCalls = z.infer<typeof toolCalls>;

/** Ids of what failed are those of the source, the invalid calls with their place in its list. */
export interface CallsScore {
  readonly registered: Agreement & { readonly failing: readonly string[] };
  /** Calls that are said to be good; some of the source break their own contract and are counted apart. */
  readonly goldAccepted: Agreement & { readonly failing: readonly string[] };
  readonly goldWithErrorsRejected: Agreement;
  readonly invalidRejected: Agreement & { readonly failing: readonly string[] };
  /** Of the calls that were rejected: those where an issue names the fault that was put in. */
  readonly rightReason: Agreement & { readonly failing: readonly string[] };
}

interface Said {
  readonly id: string;
  readonly isRight: boolean;
}

/** Scores the calls of every tool, and gives the validations that are worth a timing. */
export function scoreCalls(tools: readonly ToolCalls[]): { readonly score: CallsScore; readonly measured: readonly Measured[] } {
  const read = tools.map((one) => ({ one, contract: contractOf(one) }));
  const usable = read.flatMap(({ one, contract }) => (contract === null ? [] : [{ one, contract }]));
  const gold = usable.map(({ one, contract }) => ({
    one,
    said: { id: one.id, isRight: fits(contract, one.gold_call.arguments) },
  }));
  const invalid = usable.flatMap(({ one, contract }) => invalidOf(one, contract));
  const withErrors = gold.filter(({ one }) => one.gold_call_schema_errors.length > 0);
  return {
    score: {
      registered: countOf(read.map(({ one, contract }) => ({ id: one.id, isRight: contract !== null }))),
      goldAccepted: countOf(gold.filter((entry) => !withErrors.includes(entry)).map(({ said }) => said)),
      goldWithErrorsRejected: agreementOf(withErrors.length, withErrors.filter(({ said }) => !said.isRight).length),
      invalidRejected: countOf(invalid.map(({ id, issues }) => ({ id, isRight: issues !== null }))),
      rightReason: countOf(
        invalid.flatMap(({ id, why, issues }) => (issues === null ? [] : [{ id, isRight: isRightReason(why, issues) }])),
      ),
    },
    measured: usable.flatMap(({ one, contract }) => measuredOf(one, contract)),
  };
}

function contractOf({ tool }: ToolCalls): Schema<Json> | null {
  try {
    return jsonContract(tool.parameters);
  } catch (thrown) {
    if (isCountersignError(thrown, "definition_invalid")) return null;
    throw thrown;
  }
}

function invalidOf({ id, invalid_calls }: ToolCalls, contract: Schema<Json>) {
  return invalid_calls.map(({ why, arguments: given }, place) => ({
    id: `${id}#${place}`,
    why,
    issues: issuesOf(contract, given),
  }));
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

function issuesOf(contract: Schema<Json>, given: unknown): readonly Issue[] | null {
  const result = contract["~standard"].validate(given);
  if (result instanceof Promise || result.issues === undefined) return null;
  return result.issues.map(({ path, message }) => ({ path: (path ?? []).map(String).join("/"), message }));
}

/** What an issue must say of each kind of fault that the set puts in; a kind that is not known is not called right. */
function isRightReason(why: string, issues: readonly Issue[]): boolean {
  const [, name = ""] = /"([^"]*)"/.exec(why) ?? [];
  if (why.startsWith("required")) return issues.some(({ message }) => message === `lacks the property \`${name}\``);
  if (why === "unknown parameter") return issues.some(({ message }) => message.endsWith("which is not allowed"));
  if (why.startsWith("wrong type"))
    return issues.some(({ path, message }) => path === name && message.startsWith("must be of type"));
  if (why.startsWith("enum"))
    return issues.some(({ path, message }) => path.startsWith(name) && message.startsWith("must be one"));
  return false;
}

function measuredOf(one: ToolCalls, contract: Schema<Json>): Measured[] {
  const raw = compileBaseline(one.tool.parameters, "2020-12");
  const given = one.gold_call.arguments;
  return raw === null ? [] : [{ ours: () => fits(contract, given), raw: () => raw(given) }];
}

function countOf(all: readonly Said[]): Agreement & { readonly failing: readonly string[] } {
  const failing = all.filter(({ isRight }) => !isRight).map(({ id }) => id);
  return { ...agreementOf(all.length, all.length - failing.length), failing };
}
