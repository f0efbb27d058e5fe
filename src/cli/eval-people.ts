import { CountersignError } from "../contract/errors.ts";
import type { Sandbox } from "../define/sandbox.ts";
import type { SetCase } from "../evals/case-file.ts";

import { hashOfKey, newApiKey } from "../identity/keys.ts";
import { putPeople } from "../identity/manage-accounts.ts";

/** Somebody of a scratch installation, with a key for its desk. */
export interface EvalPerson {
  readonly tenant: string;
  readonly id: string;
  readonly roles: readonly string[];
  readonly key: string;
}

/** Who asks and who signs in a scratch installation. */
export interface EvalPeople {
  readonly all: readonly EvalPerson[];
  /** Whoever a case asks as. */
  readonly askerOf: (one: SetCase) => EvalPerson;
  /** Reads everything that was kept of what others asked for. */
  readonly auditorOf: (tenant: string) => EvalPerson;
  /** Two who sign what is proposed, where a case has it carried out. */
  readonly signersOf: (tenant: string) => readonly [EvalPerson, EvalPerson];
}

/**
 * Everybody whom the cases name, and made-up people who sign and audit. Throws `definition_invalid` where two cases give one person other
 * roles, a case names a tenant that the sandbox does not have, or the sandbox knows the person otherwise.
 */
export function planEvalPeople({ cases, sandbox }: { cases: readonly SetCase[]; sandbox: Sandbox }): EvalPeople {
  const askers = new Map<string, EvalPerson>();
  for (const one of cases) addAsker(askers, { one, sandbox });
  const staff = new Map(sandbox.tenants.map(({ id }) => [id, staffOf(id, sandbox)]));
  const staffIn = (tenant: string) => staff.get(tenant) ?? unknownTenant(tenant);
  return {
    all: [...askers.values(), ...[...staff.values()].flat()],
    askerOf: (one) => askers.get(nameOf(one, sandbox)) ?? unknownTenant(one.one.id),
    auditorOf: (tenant) => staffIn(tenant)[0],
    signersOf: (tenant) => [staffIn(tenant)[1], staffIn(tenant)[2]],
  };
}

/** Puts them into a scratch installation, each with their key. */
export function putEvalPeople(adminUrl: string, { all }: Pick<EvalPeople, "all">): Promise<void> {
  const people = all.map(({ key, ...person }) => ({
    ...{ ...person, name: person.id, roles: [...person.roles] },
    keyHash: hashOfKey(key),
  }));
  return putPeople(adminUrl, { people, follows: false });
}

function tenantOf({ one: { envelope } }: SetCase, sandbox: Sandbox): string {
  return envelope.tenant ?? sandbox.tenants[0]?.id ?? "";
}

function nameOf(one: SetCase, sandbox: Sandbox): string {
  return `${tenantOf(one, sandbox)}/${one.one.envelope.principal}`;
}

function addAsker(askers: Map<string, EvalPerson>, { one, sandbox }: { one: SetCase; sandbox: Sandbox }): void {
  const { principal: id, roles } = one.one.envelope;
  const tenant = tenantOf(one, sandbox);
  if (!sandbox.tenants.some((known) => known.id === tenant))
    throw invalid(one, `asks in \`${tenant}\`, which the sandbox does not have`);
  const known = sandbox.people.find((person) => person.tenant === tenant && person.id === id);
  const before = askers.get(`${tenant}/${id}`) ?? known;
  if (before !== undefined && !isSameSet(before.roles, roles))
    throw invalid(one, `asks as \`${id}\` with the roles ${roles.join(", ")}, who has ${before.roles.join(", ")} elsewhere`);
  if (!askers.has(`${tenant}/${id}`)) askers.set(`${tenant}/${id}`, { tenant, id, roles, key: newApiKey() });
}

/** Signers have every role of those of the sandbox who sign, since a project's own policies may ask for more than `approver`. */
function staffOf(tenant: string, { people }: Sandbox): readonly [EvalPerson, EvalPerson, EvalPerson] {
  const approving = people.filter((one) => one.tenant === tenant && one.roles.includes("approver")).flatMap(({ roles }) => roles);
  const signing = [...new Set(["approver", ...approving])];
  const made = (id: string, roles: readonly string[]): EvalPerson => ({ tenant, id, roles, key: newApiKey() });
  return [made("eval-auditor", ["auditor"]), made("eval-signer-1", signing), made("eval-signer-2", signing)];
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return new Set(some).size === new Set(others).size && some.every((one) => others.includes(one));
}

function invalid({ one }: SetCase, what: string): CountersignError {
  return new CountersignError("definition_invalid", `eval case \`${one.id}\` ${what}; give it a person of its own`);
}

function unknownTenant(name: string): never {
  throw new CountersignError("internal", `nobody was put in place for \`${name}\``);
}
