import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { HaltView } from "../../contract/views.ts";
import type { HaltScope } from "../../contract/words.ts";
import type { Project } from "../../define/project.ts";
import { stoppedScopes, wholeTenant } from "../../ledger/halts.ts";
import type { Tx } from "../../store/database.ts";
import type { Signing } from "./answering.ts";

/** What a person stops, or lets go on. */
export interface Halting {
  readonly tx: Tx;
  readonly principal: Principal;
  readonly scope: HaltScope;
  /** The effect or the capability; `null` for the tenant. */
  readonly name: string | null;
  /** `false` lifts the stop. */
  readonly isStopped: boolean;
  readonly reason: string;
}

/**
 * Stops something for a tenant, or lifts its stop, and returns what is stopped then. Stopping what is stopped changes nothing: the
 * first stop stands. Throws `forbidden`, `bad_request` for a name that does not go with the scope, `effect_unknown` and
 * `unknown_capability` for one that this project does not know, and `not_stopped`.
 */
export async function setHalt(
  halting: Halting,
  signing: Pick<Signing, "project" | "policy" | "ids">,
): Promise<readonly HaltView[]> {
  const { tx, principal, scope, isStopped, reason } = halting;
  const { tenant } = principal;
  const ruling = signing.policy.mayStop(principal);
  if (ruling.kind === "refused") throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
  const name = nameOf(halting);
  // Invariant: of stopping and lifting one is first, and the order of `n` is the order of their commits.
  await sql`select pg_advisory_xact_lock(hashtextextended('countersign halt', 0) # hashtextextended(${tenant}, 0))`.execute(tx);
  const { halts } = await stoppedScopes(tx, tenant);
  const stands = halts.some((halt) => halt.scope === scope && halt.name === name);
  if (stands && isStopped) return halts;
  if (!stands) {
    // What stands is lifted by its name, also where the project knows no such name any more.
    checkKnown({ project: signing.project, scope, name });
    if (!isStopped) throw notStopped(scope, name);
  }
  const row = { tenant, id: signing.ids.next(), scope, name, is_stopped: isStopped, by_principal: principal.id, reason };
  await tx.insertInto("halt").values(row).execute();
  return (await stoppedScopes(tx, tenant)).halts;
}

function nameOf({ scope, name }: Pick<Halting, "scope" | "name">): string {
  if (scope !== "tenant") {
    if (name !== null) return name;
    throw new CountersignError("bad_request", `say which ${scope} by its name`);
  }
  if (name === null || name === wholeTenant) return wholeTenant;
  throw new CountersignError("bad_request", "the whole tenant is stopped without a name, and it is always your own");
}

function checkKnown({ project, scope, name }: { project: Project; scope: HaltScope; name: string }): void {
  if (scope === "effect" && !project.effects.some((effect) => effect.name === name))
    throw new CountersignError("effect_unknown", `no effect is named \`${shown(name)}\` in this project`);
  if (scope === "capability" && !project.capabilities.some((capability) => capability.name === name))
    throw new CountersignError("unknown_capability", `no capability is named \`${shown(name)}\` in this project`);
}

function notStopped(scope: HaltScope, name: string): CountersignError {
  const what = scope === "tenant" ? "the tenant" : `${scope} \`${shown(name)}\``;
  return new CountersignError("not_stopped", `${what} is not stopped, so there is nothing to resume`, { facts: { scope, name } });
}

function shown(name: string): string {
  return name.slice(0, 63);
}
