import { sql } from "kysely";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import { openStates } from "./operations.ts";

/**
 * The tenants that have an open approval, an operation that is due, a finding of a person's to carry out, or a proposal that policy has
 * not looked at yet.
 */
export async function tenantsWithWork(tx: Tx, acting: Acting): Promise<readonly string[]> {
  const now = new Date(await acting.storeTime(tx));
  const { rows } = await sql<{ id: string }>`
    select id from tenant t
    where exists (select from approval a where a.tenant = t.id and a.state = 'granted')
      or exists (select from operation o where o.tenant = t.id and o.state in (${sql.join([...openStates])})
        and o.due_at <= ${now} and o.lease_until <= ${now})
      or exists (select from resolution r where r.tenant = t.id and not r.done)
      or exists (select from entry e where e.tenant = t.id and e.kind = 'decided' and e.route = 'auto' and e.effects > 0
        and (e.xid, e.n) > (select coalesce(max(p.xid), '0'::xid8), coalesce(max(p.n), 0) from progress p
          where p.tenant = t.id and p.reader = 'admit'))
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}
