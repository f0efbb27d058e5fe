import type { AnyCase } from "../../contract/case.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { Json } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";
import type { PayloadKeys } from "../payload.ts";
import { hashOf, sealRunBody } from "./run-body.ts";

/** A case that is to begin; `at` in milliseconds since the epoch, by the store's clock. */
export interface Starting {
  readonly principal: Principal;
  readonly one: Pick<AnyCase, "name" | "version" | "owner" | "start">;
  readonly id: string;
  readonly key: string;
  /** Checked against the case's input before. */
  readonly input: Json;
  readonly at: number;
  /** The case and its step that it is a part of. */
  readonly parent?: { readonly id: string; readonly n: number; readonly branch: string; readonly given: Json };
}

/**
 * Begins a case in the caller's transaction, and returns its id: that of the one which stands under the key, where the same was begun
 * before. Throws `key_conflict` where the key is another's, or was used with another input. Its first step is entered by a worker.
 */
export async function startRun(
  tx: Tx,
  { principal, one, id, key, input, at, parent }: Starting,
  keys: PayloadKeys,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { tenant } = principal;
  const startHash = hashOf({ case: one.name, input }, { tenant, keys });
  const made = await tx
    .insertInto("case_run")
    .values({
      ...{ tenant, id, case_name: one.name, version: one.version, key, owner: one.owner, step: one.start },
      ...{ started_by: principal.id, on_behalf_of: principal.onBehalfOf, start_hash: startHash },
      body: sealRunBody({ principal, input, given: parent?.given ?? null, data: null }, { tenant, id, keys }),
      ...{ parent_id: parent?.id ?? null, parent_n: parent?.n ?? null, branch: parent?.branch ?? null },
      ...{ created_at: new Date(at), due_at: new Date(at) },
    })
    .onConflict((conflict) => conflict.columns(["tenant", "case_name", "key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made !== undefined) return { id: made.id, isNew: true };
  // Whoever was first has committed by now: the insert waited for it.
  const standing = await tx
    .selectFrom("case_run")
    .select(["id", "started_by", "start_hash"])
    .where("tenant", "=", tenant)
    .where("case_name", "=", one.name)
    .where("key", "=", key)
    .executeTakeFirst();
  if (standing?.started_by === principal.id && standing.start_hash.equals(startHash)) return { id: standing.id, isNew: false };
  throw new CountersignError("key_conflict", "another case was started under this key; use a key of its own", {
    facts: { case: one.name },
  });
}
