import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { mostRetentionDays } from "../contract/retention.ts";
import { type Hold, releaseHold, setHold } from "../ledger/erasure/manage-erasure.ts";
import { type RetentionRule, readRetention, setRetention, unsetRetention } from "../ledger/erasure/manage-retention.ts";
import { wholeNumber } from "./amounts.ts";
import { withOwner } from "./owner.ts";
import { checkedId } from "./people-form.ts";
import { print } from "./print.ts";
import { reasonOf } from "./reason.ts";

interface Place {
  readonly directory: string;
  readonly json?: true;
}

interface SetOptions extends Place {
  readonly tenant: string;
  readonly capability: string;
  readonly inputsDays?: string;
  readonly payloadDays?: string;
}

/** Sets how long a tenant keeps bodies, in force within minutes; what is not named stays. Throws `bad_request` for what are no days, `not_found`. */
export async function retentionSet({ tenant, capability, inputsDays, payloadDays, directory, json }: SetOptions): Promise<void> {
  if (inputsDays === undefined && payloadDays === undefined)
    throw new CountersignError("bad_request", "name --inputs-days, --payload-days or both");
  const named = {
    ...ruleName(tenant, capability),
    ...(inputsDays === undefined ? {} : { inputsDays: days(inputsDays) }),
    ...(payloadDays === undefined ? {} : { payloadDays: days(payloadDays) }),
  };
  const rules = await withOwner(resolve(directory), async (adminUrl) => {
    await setRetention(adminUrl, named);
    return (await readRetention(adminUrl, tenant)).rules;
  });
  const rule = rules.find((one) => one.capability === capability) ?? named;
  const whose = capability === "*" ? "bodies of all capabilities" : capability;
  print({ json, value: rule, lines: [`${tenant} keeps ${whose}: ${wordsOf(rule, rules)}`] });
}

interface UnsetOptions extends Place {
  readonly tenant: string;
  readonly capability: string;
  readonly inputs?: true;
  readonly payload?: true;
}

/** Takes back what a tenant set: of inputs, of the whole payload, or both where neither is named. Throws `not_found`. */
export async function retentionUnset({ tenant, capability, inputs, payload, directory, json }: UnsetOptions): Promise<void> {
  const isAll = inputs === undefined && payload === undefined;
  const parts = (["inputs", "payload"] as const).filter((part) => isAll || { inputs, payload }[part] === true);
  const taken = { ...ruleName(tenant, capability), parts };
  const rules = await withOwner(resolve(directory), async (adminUrl) => {
    await unsetRetention(adminUrl, taken);
    return (await readRetention(adminUrl, tenant)).rules;
  });
  const left = rules.find((one) => one.capability === capability) ?? { tenant, capability };
  const whose = capability === "*" ? "what no rule of a capability names" : capability;
  print({ json, value: taken, lines: [`${tenant} keeps ${whose}: ${wordsOf(left, rules)}`] });
}

/** Lists what tenants have set, and what is held. */
export async function retentionShow({ tenant, directory, json }: Place & { tenant?: string }): Promise<void> {
  const { rules, holds } = await withOwner(resolve(directory), (adminUrl) => readRetention(adminUrl, tenant ?? null));
  const lines = [
    ...rules.map((rule) => `${rule.tenant} ${rule.capability}: ${wordsOf(rule, rules)}`),
    ...holds.map((hold) => `${hold.tenant} holds ${wordOf(hold)} since ${new Date(hold.at).toISOString()}: ${hold.reason}`),
  ];
  const none = "no tenant has set anything: inputs end after 30 days unless a capability says otherwise, the rest stays";
  print({ json, value: { rules, holds }, lines: lines.length === 0 ? [none] : lines });
}

interface HoldOptions extends Place {
  readonly tenant: string;
  readonly person?: string;
  readonly decision?: string;
}

/** Has nothing erased of a decision, a person or a whole tenant until it is released. Throws `not_found`. */
export async function retentionHold(options: HoldOptions & { reason: string }): Promise<void> {
  const reason = reasonOf(options.reason);
  const hold = holdOf(options);
  await withOwner(resolve(options.directory), (adminUrl) => setHold(adminUrl, { ...hold, reason }));
  print({ json: options.json, value: { ...hold, reason }, lines: [`nothing is erased of ${wordOf(hold)} until it is released`] });
}

/** Releases what was held; what was due meanwhile is erased. Throws `not_found`. */
export async function retentionRelease(options: HoldOptions): Promise<void> {
  const hold = holdOf(options);
  await withOwner(resolve(options.directory), (adminUrl) => releaseHold(adminUrl, hold));
  print({
    json: options.json,
    value: hold,
    lines: [`released ${wordOf(hold)}; what is due of it is erased at the worker's next round`],
  });
}

function holdOf({ tenant, person, decision }: HoldOptions): Hold {
  checkedId("the tenant's id", tenant);
  if (person !== undefined && decision !== undefined)
    throw new CountersignError("bad_request", "name a person or a decision, or neither for the whole tenant");
  if (person !== undefined) return { tenant, scope: "person", name: checkedId("the person's id", person) };
  return decision === undefined ? { tenant, scope: "tenant", name: "*" } : { tenant, scope: "decision", name: decision };
}

function wordOf({ tenant, scope, name }: Hold): string {
  return scope === "tenant" ? `all of ${tenant}` : `${scope} ${name}`;
}

function days(text: string): number {
  const count = wholeNumber(text);
  if (count < 1 || count > mostRetentionDays) throw new CountersignError("bad_request", `days go from 1 to ${mostRetentionDays}`);
  return count;
}

/** What a rule leaves out is as the tenant's rule for all says, and only then as the capability does. */
function wordsOf(rule: RetentionRule, rules: readonly RetentionRule[]): string {
  const forAll = rules.find(({ tenant, capability }) => tenant === rule.tenant && capability === "*" && rule.capability !== "*");
  const of = (part: "inputsDays" | "payloadDays") => {
    if (rule[part] !== undefined) return `${rule[part]} days`;
    return forAll?.[part] === undefined ? "as the capability says" : `${forAll[part]} days, as for all`;
  };
  return `inputs ${of("inputsDays")}, everything else that is encrypted ${of("payloadDays")}`;
}

function ruleName(tenant: string, capability: string): { tenant: string; capability: string } {
  return {
    tenant: checkedId("the tenant's id", tenant),
    capability: capability === "*" ? "*" : checkedId("the capability", capability),
  };
}
