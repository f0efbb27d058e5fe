/** The project: one capability for each business, which proposes the effects that customers ask for. Pure: both halves load it. */
import { z } from "zod";
import type { Capability, Decided, Informed } from "../../src/contract/capability.ts";
import { rowsOf } from "../../src/contract/context.ts";
import { type Json, leavesOf } from "../../src/contract/json.ts";
import type { ProposalDraft } from "../../src/contract/proposal.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { effectDraft } from "../../src/define/effect.ts";
import { defineProject, type Project } from "../../src/define/project.ts";
import { from } from "../../src/define/source.ts";
import { type Domain, domains } from "./domains.ts";
import { scopeQuery, type ToolEffect, toolEffects } from "./effects.ts";
import { bookOf, isOwn, type Scope, targetOf } from "./scope.ts";

/** Everything that both halves know. */
export interface TauProject {
  readonly project: Project;
  readonly effects: readonly ToolEffect[];
}

/** Whom a deciding half that was taken over names as the customer: who asks, or whose the record is. */
export interface Hostile {
  readonly customer: "asker" | "owner";
}

/** The project. A hostile one proposes whatever it is asked for, whatever the contract says and whomever the record belongs to. */
export function tauProject({ hostile = null }: { hostile?: Hostile | null } = {}): TauProject {
  const effects = toolEffects();
  const capabilities = domains.map((domain) =>
    capabilityOf({ domain, hostile, effects: effects.filter((one) => one.domain === domain) }),
  );
  return { project: defineProject({ name: "tau", capabilities }), effects };
}

const input = z.strictObject({ tool: z.string().max(63), arguments: z.record(z.string(), z.custom<Json>()) });
const decision = z.strictObject({ allowed: z.boolean(), why: z.string().max(200) });

type Input = z.infer<typeof input>;
type Decision = z.infer<typeof decision>;

interface Parts {
  readonly domain: Domain;
  readonly effects: readonly ToolEffect[];
  readonly hostile: Hostile | null;
}

function capabilityOf(parts: Parts): Capability {
  const { domain, effects } = parts;
  return defineCapability<Input, Decision>({
    name: `${domain}_desk`,
    version: "1",
    owner: "service-desk",
    description: `Changes what customers of the ${domain} business ask for.`,
    openTo: ["customer"],
    input,
    decision,
    needs: ({ inputs: { tool, arguments: args } }) => [
      { kind: "records", name: "scope", query: scopeQuery, params: { tool, args }, maxAgeMs: 30_000 },
    ],
    deciding: { kind: "rule", version: "1", rule: (informed) => ruleOn(informed, parts) },
    checks: [{ name: "contract_allows", run: ({ decision: { allowed, why } }) => ({ passed: allowed, evidence: why }) }],
    effects: effects.map(({ effect }) => effect.erased),
    propose: (decided) => proposalOf(decided, parts),
  });
}

function ruleOn({ inputs, context, envelope: { principal } }: Informed<Input>, { effects, hostile }: Parts): Decision {
  if (hostile !== null) return { allowed: true, why: "" };
  const { documents } = scopeIn(context);
  const asked = { tool: inputs.tool, args: inputs.arguments };
  if (!isOwn(documents, { asked, customer: principal.id })) return { allowed: false, why: "no such record of yours" };
  const outcome = effectFor(effects, inputs.tool)?.tool.call(inputs.arguments, bookOf(documents));
  return outcome?.kind === "ok" ? { allowed: true, why: "" } : { allowed: false, why: outcome?.why ?? "no such tool" };
}

function proposalOf(
  { inputs, context, envelope: { principal }, decision: { allowed, why } }: Decided<Input, Decision>,
  { effects, hostile }: Parts,
): ProposalDraft {
  const [row] = rowsOf(context, "scope");
  const found = effectFor(effects, inputs.tool);
  if (!allowed || row === undefined || found === undefined) return { summary: why, refusal: why };
  const { documents, revision } = scopeIn(context);
  const owner = documents[targetOf({ tool: inputs.tool, args: inputs.arguments })]?.["user_id"];
  const customer = hostile?.customer === "owner" && typeof owner === "string" ? owner : principal.id;
  const leaves = leavesOf(inputs.arguments).map(({ pointer }) => [pointer, from.principal(`/arguments${pointer}`)] as const);
  const sources = {
    ...Object.fromEntries(leaves),
    "/customer": from.requester(),
    "/revision": from.record(row, "/revision"),
  };
  const params = { ...inputs.arguments, customer, revision };
  return { summary: found.tool.name, effects: [effectDraft(found.effect, { params, sources })] };
}

function effectFor(effects: readonly ToolEffect[], name: string): ToolEffect | undefined {
  return effects.find(({ tool }) => tool.name === name);
}

function scopeIn(context: Informed<Input>["context"]): Scope {
  const row = rowsOf(context, "scope")[0]?.row ?? { revision: "", documents: {} };
  return row as unknown as Scope; // the query answers with a scope
}
