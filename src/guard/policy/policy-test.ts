import { z } from "zod";
import { everything, type PolicyRuling } from "../../contract/principal.ts";
import { actionNames, actions, listedActions, type ResourceType } from "./actions.ts";
import type { Ask } from "./ask.ts";
import { invalidPolicy } from "./policy-fault.ts";
import type { PolicyText } from "./policy-text.ts";
import type { AttributeValue, Question } from "./question.ts";

const attribute = z.union([z.string(), z.int(), z.boolean(), z.array(z.string())]);

/** A question as people write it: what is left out is the usual. */
export const writtenQuestion = z.strictObject({
  principal: z.strictObject({
    tenant: z.string().default("acme"),
    id: z.string(),
    roles: z.array(z.string()),
    onBehalfOf: z.string().nullable().default(null),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  }),
  action: z.enum(actionNames),
  resource: z.record(z.string(), attribute).default({}),
  listed: z.boolean().default(true),
});

const testFile = z.strictObject({
  cases: z.array(
    writtenQuestion.extend({
      name: z.string().min(1),
      expect: z.enum(["permitted", "refused"]),
      /** The ids of all deciding policies, in any order; empty where none decides, so that the answer is no. */
      policies: z.array(z.string()),
    }),
  ),
});

/** One case of a file of policy tests, and what came of it. */
export interface PolicyTestResult {
  readonly file: string;
  readonly name: string;
  readonly isPassed: boolean;
  readonly expected: string;
  readonly found: string;
}

/** Runs the cases of files of policy tests. Throws `policy_invalid` for a file that is none. */
export function runPolicyTests({ ask, texts }: { ask: Ask; texts: readonly PolicyText[] }): readonly PolicyTestResult[] {
  return texts.flatMap((text) =>
    readCases(text).map(({ name, expect, policies, ...question }) => {
      const expected = said(expect, policies);
      const ruling = ask(questionOf(question));
      const found = saidBy(ruling);
      return { file: text.file, name, isPassed: expected === found, expected, found };
    }),
  );
}

function readCases({ file, text }: PolicyText) {
  const parsed = testFile.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data.cases;
  const issue = parsed.error.issues[0];
  throw invalidPolicy(`\`${file}\` is no file of policy tests: ${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`, { file });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The question that a written one stands for. */
export function questionOf({ principal, action, resource, listed }: z.infer<typeof writtenQuestion>): Question {
  const type = actions[action];
  const attributes: Record<string, AttributeValue> = { ...usual(type, principal.tenant), ...resource };
  return {
    principal: { ...principal, allow: everything },
    action,
    resource: { id: idOf(type, attributes), attributes },
    ...(listedActions.has(action) ? { listed } : {}),
  };
}

function usual(type: ResourceType, tenant: string): Readonly<Record<string, AttributeValue>> {
  switch (type) {
    case "House":
      return { tenant };
    case "Decision":
      return { tenant, effects: 0 };
    case "Case":
      return { tenant, tellers: [], by: [], notByStarter: false };
    default:
      return {};
  }
}

/** As the program names what it asks about. */
function idOf(type: ResourceType, { name, kind, tenant }: Readonly<Record<string, AttributeValue>>): string {
  if (type === "Label") return `${String(kind)}:${String(name)}`;
  if (type === "House") return String(tenant);
  if (type === "Decision" || type === "Case") return type.toLowerCase();
  return String(name);
}

function saidBy({ kind, policies }: PolicyRuling): string {
  return said(kind, policies);
}

function said(kind: PolicyRuling["kind"], policies: readonly string[]): string {
  return policies.length === 0 ? kind : `${kind} by ${[...policies].sort().join(", ")}`;
}
