import { sql } from "kysely";
import type { HaltView } from "../contract/views.ts";
import type { HaltScope } from "../contract/words.ts";
import type { Tx } from "../store/database.ts";

/** What an emergency stop may name of one change. */
export interface Stoppable {
  readonly effect: string;
  readonly capability: string;
}

/** What is stopped for a tenant, as it was when it was read. */
export interface Stopped {
  /** The stops that stand: the tenant's first, then by scope and name. */
  readonly halts: readonly HaltView[];
  /** Says whether nothing of such a change may be sent. */
  readonly isStopped: (one: Stoppable) => boolean;
  /** The widest scope by which it is stopped; `null` where it is not. */
  readonly scopeOf: (one: Stoppable) => HaltScope | null;
}

/** The name under which a whole tenant is stopped. */
export const wholeTenant = "*";

/** Under which the suspension of a tenant stands beside its people's own stops. */
const suspendedTenant = "**";

/** Reads what is stopped for a tenant now: of each scope and name the newest row holds. A tenant that is suspended is stopped whole. */
export async function stoppedScopes(tx: Tx, tenant: string): Promise<Stopped> {
  const { rows } = await sql<HaltRow>`
    select distinct on (scope, name) scope, name, is_stopped, by_principal, reason, at
    from (
      select scope, name, is_stopped, by_principal, reason, at, n from countersign.halt where tenant = ${tenant}
      union all
      select 'tenant', ${suspendedTenant}, true, 'operator', 'the tenant is ' || state, state_since, 0
      from countersign.tenant where id = ${tenant} and state <> 'active') as stops
    order by scope, name, n desc`.execute(tx);
  const halts = rows
    .filter(({ is_stopped }) => is_stopped)
    .map(({ scope, name, by_principal, reason, at }): HaltView => ({ scope, name, by: by_principal, at: at.getTime(), reason }))
    .sort((one, other) => widestFirst.indexOf(one.scope) - widestFirst.indexOf(other.scope));
  const names = new Set(halts.map(({ scope, name }) => `${scope} ${name}`));
  const scopeOf = ({ effect, capability }: Stoppable): HaltScope | null => {
    if (names.has(`tenant ${suspendedTenant}`)) return "tenant";
    const named = { tenant: wholeTenant, capability, effect };
    return widestFirst.find((scope) => names.has(`${scope} ${named[scope]}`)) ?? null;
  };
  return { halts, isStopped: (one) => scopeOf(one) !== null, scopeOf };
}

const widestFirst: readonly HaltScope[] = ["tenant", "capability", "effect"];

interface HaltRow {
  readonly scope: HaltScope;
  readonly name: string;
  readonly is_stopped: boolean;
  readonly by_principal: string;
  readonly reason: string;
  readonly at: Date;
}
