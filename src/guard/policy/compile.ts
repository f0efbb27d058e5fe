import { hash } from "node:crypto";
import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { type Action, actionNames } from "./actions.ts";
import { invalidFile, invalidPolicy } from "./policy-fault.ts";
import { type PolicyText, schemaFile } from "./policy-text.ts";
import { readPolicies, type WrittenPolicy } from "./written-policy.ts";

/** Policies that were checked against the schema and parsed once. */
export interface CompiledPolicies {
  /** A digest over all files, in hex. */
  readonly version: string;
  /** In the order of files and places in them. */
  readonly policies: readonly WrittenPolicy[];
  /** The first policy that permits an action, where one does: whose sentence is told when none permits it now. */
  readonly firstPermits: ReadonlyMap<Action, WrittenPolicy>;
  /** The place of each policy in that order. */
  readonly places: ReadonlyMap<string, number>;
}

/** Checks policies against their schema and compiles them. Throws `policy_invalid` with file, line and what is wrong. */
export function compilePolicies(texts: readonly PolicyText[]): CompiledPolicies {
  const files = [...texts].sort((one, other) => (one.file < other.file ? -1 : 1));
  const version = hash("sha256", JSON.stringify(files.map(({ file, text }) => [file, text])), "hex").slice(0, 16);
  const schema = schemaOf(files, version);
  const policies = files.filter(({ file }) => file.endsWith(".cedar")).flatMap((file) => readPolicies(file));
  refuseDoubles(policies);
  validate(schema, policies);
  load({ version, policies });
  return {
    version,
    policies,
    firstPermits: firstPermits(policies),
    places: new Map(policies.map(({ id }, place) => [id, place])),
  };
}

/** Finds the schema and hands it to the engine, which parses it: each further look at it would cost a start a sixth of a second. */
function schemaOf(files: readonly PolicyText[], version: string): PolicyText {
  const schema = files.find(({ file }) => file === schemaFile);
  const other = files.find(({ file }) => file.endsWith(".cedarschema") && file !== schemaFile);
  if (schema === undefined) throw invalidPolicy(`there is no \`${schemaFile}\`; put the program's own back`);
  if (other !== undefined) throw invalidPolicy(`\`${other.file}\` is one schema too many; the program has its own`);
  const parsed = cedar.preparseSchema(version, schema.text);
  if (parsed.type === "failure") throw invalidFile(schema, parsed.errors[0]);
  return schema;
}

function refuseDoubles(policies: readonly WrittenPolicy[]): void {
  const places = new Map<string, WrittenPolicy>();
  for (const policy of policies) {
    const { id, file, line } = policy;
    const known = places.get(id);
    if (known !== undefined)
      throw invalidPolicy(`\`${file}:${line}\` has the id \`${id}\` of \`${known.file}:${known.line}\`; ids are used once`, {
        file,
        line,
      });
    places.set(id, policy);
  }
}

/** Warnings are faults too: a policy that can never apply says something else than its author meant. */
function validate(schema: PolicyText, policies: readonly WrittenPolicy[]): void {
  const answer = cedar.validate({ schema: schema.text, policies: { staticPolicies: textsOf(policies) } });
  if (answer.type === "failure") throw invalidPolicy(answer.errors[0]?.message ?? "the policies could not be checked");
  const fault = [...answer.validationErrors, ...answer.validationWarnings][0];
  if (fault === undefined) return;
  const policy = policies.find(({ id }) => id === fault.policyId);
  if (policy === undefined) throw invalidPolicy(fault.error.message);
  throw invalidFile({ file: policy.file, text: policy.text, firstLine: policy.line }, fault.error);
}

/** The name under which the engine keeps the policies of one action. */
export function policySetOf(version: string, action: Action): string {
  return `${version}:${action}`;
}

/**
 * Hands the engine the policies of each action by themselves, since what a question costs it grows with the policies beside it.
 * Those of one version are the same, so opening them again puts the same in the same place.
 */
function load({ version, policies }: Pick<CompiledPolicies, "version" | "policies">): void {
  const sets = actionNames.map((action) => {
    const about = policies.filter(({ actions }) => actions.includes(action));
    return cedar.preparsePolicySet(policySetOf(version, action), { staticPolicies: textsOf(about) });
  });
  for (const answer of sets)
    if (answer.type === "failure") throw invalidPolicy(answer.errors[0]?.message ?? "the policies could not be parsed");
}

function textsOf(policies: readonly WrittenPolicy[]): Record<string, string> {
  return Object.fromEntries(policies.map(({ id, text }) => [id, text]));
}

function firstPermits(policies: readonly WrittenPolicy[]): ReadonlyMap<Action, WrittenPolicy> {
  const first = new Map<Action, WrittenPolicy>();
  for (const policy of policies) {
    if (policy.effect !== "permit") continue;
    for (const action of policy.actions) if (!first.has(action)) first.set(action, policy);
  }
  return first;
}
