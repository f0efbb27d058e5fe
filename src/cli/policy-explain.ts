import { CountersignError } from "../contract/errors.ts";
import { openAsk, strictEngine } from "../guard/policy/ask.ts";
import { compilePolicies } from "../guard/policy/compile.ts";
import { type ExplainedRuling, explainRuling } from "../guard/policy/explain-policy.ts";
import { questionOf, writtenQuestion } from "../guard/policy/policy-test.ts";
import type { WrittenPolicy } from "../guard/policy/written-policy.ts";
import { policyTexts } from "./open-policies.ts";
import { print } from "./print.ts";

interface ExplainOptions {
  readonly principal: string;
  readonly roles: string;
  readonly tenant: string;
  readonly onBehalfOf?: string;
  readonly attributes: string;
  readonly resource: string;
  readonly notListed?: true;
  readonly project?: string;
  readonly json?: true;
}

/** Asks one question and prints the answer with the policies behind it: exit code 0 for a yes, 1 for a no. */
export async function policyExplain(action: string, options: ExplainOptions): Promise<void> {
  const question = questionOf(written(action, options));
  const compiled = compilePolicies(policyTexts(options.project));
  const explained = explainRuling({ compiled, ask: openAsk(compiled, strictEngine), question });
  print({ json: options.json, value: explained, lines: linesOf(explained) });
  process.exitCode = explained.ruling.kind === "permitted" ? 0 : 1;
}

function written(action: string, options: ExplainOptions) {
  const { principal: id, tenant, roles, onBehalfOf = null, attributes, resource, notListed } = options;
  const parsed = writtenQuestion.safeParse({
    principal: { tenant, id, roles: roles.split(",").filter((role) => role !== ""), onBehalfOf, attributes: jsonOf(attributes) },
    action,
    resource: jsonOf(resource),
    listed: notListed !== true,
  });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new CountersignError(
    "bad_request",
    `the question does not have its form: ${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CountersignError("bad_json", "what stands for attributes or a resource is no JSON", { cause });
  }
}

function linesOf({ version, ruling, deciding, missing }: ExplainedRuling): readonly string[] {
  const reason = ruling.kind === "refused" ? `: ${ruling.reason}` : "";
  return [
    `${ruling.kind} by the rule ${ruling.rule}${reason} (policies ${version})`,
    ...deciding.flatMap((policy) => [
      "",
      `${policy.effect === "permit" ? "permits" : "forbids"}: ${placeOf(policy)}`,
      policy.text,
    ]),
    ...missing.flatMap((policy) => ["", `would permit, and did not apply: ${placeOf(policy)}`, policy.text]),
  ];
}

function placeOf({ id, file, line }: WrittenPolicy): string {
  return `${id} (${file}:${line})`;
}
