import { sql } from "kysely";
import { openClients } from "../../../src/act/clients.ts";
import { type EntryKind, entryKinds, writerRoles } from "../../../src/contract/words.ts";
import { writeEntries } from "../../../src/ledger/entries.ts";
import type { Tx } from "../../../src/store/database.ts";
import { environmentVault } from "../../../src/vault/environment.ts";
import { secretsOf } from "../../../src/worker.ts";
import { approveAtOwnDesk, putInApproval, putInPolicyApproval, workAsOwnWorker } from "./forgeries.ts";
import type { World } from "./world.ts";

/** One thing that hostile code tries. It resolves where it could, and throws what refused it. */
export interface Attempt {
  readonly name: string;
  /** Whose process can do it: the control. */
  readonly whose: "acting" | "desk" | "owner";
  readonly run: (world: World) => Promise<unknown>;
}

const byDesk: ReadonlySet<EntryKind> = new Set(["approved", "rejected", "refused", "withdrawn", "resolved", "corrected"]);

/** All of them. Those of a whole desk or worker come first, so that what the control leaves behind does not get in their way. */
export const attempts: readonly Attempt[] = [
  { name: "run a worker of its own", whose: "acting", run: workAsOwnWorker },
  { name: "approve at a desk of its own", whose: "desk", run: approveAtOwnDesk },
  { name: "put in a person's approval under the key that it finds", whose: "desk", run: putInApproval },
  { name: "put in policy's approval under the key that it finds", whose: "acting", run: putInPolicyApproval },
  { name: "change the sandbox through the hands, with every credential that it has", whose: "acting", run: applyByHand },
  { name: "read the writing credential from its vault", whose: "acting", run: async (world) => readFromVault(world) },
  { name: "open the acting section of the vault file", whose: "acting", run: ({ section }) => section("acting") },
  { name: "open the desk's section of the vault file", whose: "desk", run: ({ section }) => section("desk") },
  ...entryKinds
    .filter((kind) => kind !== "decided" && kind !== "stopped")
    .map((kind): Attempt => {
      return {
        name: `write an entry \`${kind}\``,
        whose: kind === "restored" ? "owner" : byDesk.has(kind) ? "desk" : "acting",
        run: (world) => enter(kind, world),
      };
    }),
  inTx("begin an operation", "acting", (tx, { ids, target: { tenant, done } }) => {
    const id = ids.next();
    return sql`insert into countersign.operation (tenant, id, effect, key, params_digest, decision_id, effect_index, approval_id,
      state, lease_until, due_at, deadline_at, last_entry_id) values (${tenant}, ${id}, 'forged', ${id}, '', ${done.decisionId}, 0,
      ${done.approvalId}, 'applying', now(), now() + interval '1 day', now() + interval '1 day', ${done.entryId})`.execute(tx);
  }),
  // One that was seen complete is final for every half; the one that was begun above is not.
  inTx("move an operation", "acting", (tx) =>
    sql`update countersign.operation set due_at = due_at + interval '1 s' where state = 'applying'`.execute(tx),
  ),
  inTx("end an approval", "acting", (tx, { target: { waiting } }) =>
    sql`update countersign.approval set state = 'refused' where decision_id = ${waiting[2]} and state = 'granted'`.execute(tx),
  ),
  inTx("open a slice", "acting", (tx, { target: { tenant, done } }) =>
    sql`insert into countersign.slice (tenant, capability, capability_version, slice, threshold_ppm, granted_at, approval_id, entry_id)
      values (${tenant}, 'tickets', '1', 'forged', 0, 0, ${done.approvalId}, ${done.entryId})`.execute(tx),
  ),
  inTx("turn back what policy has read", "acting", (tx) => sql`update countersign.progress set xid = '0', n = 0`.execute(tx)),
  inTx("erase a payload", "acting", (tx, { target: { done } }) =>
    sql`update countersign.payload set body = null, erased_at = now() where entry_id = ${done.entryId}`.execute(tx),
  ),
  inTx("say what a person found", "desk", (tx, { ids, target: { tenant, done } }) =>
    sql`insert into countersign.resolution (tenant, operation_id, entry_id, outcome)
      values (${tenant}, ${done.operationId}, ${ids.next()}, 'not_happened')`.execute(tx),
  ),
  inTx("lift an emergency stop", "desk", (tx, { ids, target: { tenant } }) =>
    sql`insert into countersign.halt (tenant, id, scope, name, is_stopped, by_principal, reason)
      values (${tenant}, ${ids.next()}, 'tenant', '*', false, 'oda', 'forged')`.execute(tx),
  ),
  inTx("take a decision up", "desk", (tx, { target: { tenant, done } }) =>
    sql`insert into countersign.claim (tenant, decision_id, principal, until)
      values (${tenant}, ${done.decisionId}, 'ada', now()) on conflict (tenant, decision_id) do update set until = now()`.execute(
      tx,
    ),
  ),
  { name: "become another half", whose: "owner", run: becomeAnother },
  inTx("switch the triggers off", "owner", (tx) => sql`set local session_replication_role = replica`.execute(tx)),
  inTx("switch row security off", "owner", async (tx) => {
    await sql`alter table countersign.approval disable row level security`.execute(tx);
    await sql`alter table countersign.approval enable row level security`.execute(tx);
  }),
  // What it says already, so that the control changes nothing.
  inTx("change who may put in approvals", "owner", (tx) =>
    sql`alter policy approval_by_person on countersign.approval to desk`.execute(tx),
  ),
  inTx("run a program where the database is", "owner", (tx) => sql`copy (select 1) to program 'cat >/dev/null'`.execute(tx)),
];

function inTx(name: string, whose: Attempt["whose"], work: (tx: Tx, world: World) => Promise<unknown>): Attempt {
  return { name, whose, run: (world) => world.database.inTenant(world.target.tenant, (tx) => work(tx, world)) };
}

/** Takes on the role of each other half in turn; throws the last refusal where it may be none of them. */
async function becomeAnother({ database, target: { tenant } }: World): Promise<void> {
  let refused: unknown = null;
  for (const role of writerRoles.filter((one) => one !== database.role)) {
    try {
      await database.inTenant(tenant, (tx) => sql`set local role ${sql.id(role)}`.execute(tx));
      return;
    } catch (thrown) {
      refused = thrown;
    }
  }
  throw refused;
}

/** Calls the hands as the worker would, with one credential after the other; throws the last refusal where none would do. */
async function applyByHand({ hands, credentials, target: { tenant } }: World): Promise<void> {
  let refused: unknown = new Error("the process has no credential at all");
  for (const credential of credentials) {
    const clients = openClients({ secret: () => credential });
    try {
      const apply = await hands.hands[0]?.apply.bind(clients);
      const options = { tenant, idempotencyKey: "by hand", signal: AbortSignal.timeout(10_000), fence: 1, expectedVersion: null };
      await apply?.({ name: "by-hand", note: "n" }, options);
      return;
    } catch (thrown) {
      refused = thrown;
    } finally {
      await clients.close();
    }
  }
  throw refused;
}

/** Asks under its own side first, then under the acting one, over all that the process holds. */
function readFromVault({ env, hands }: World): string {
  const declared = secretsOf(hands);
  try {
    return environmentVault({ side: "deciding", env, declared }).secret("SANDBOX_WRITE");
  } catch {
    return environmentVault({ side: "acting", env, declared }).secret("SANDBOX_WRITE");
  }
}

function enter(kind: EntryKind, { database, ids, keys, target: { tenant, done } }: World): Promise<unknown> {
  // The role that writes is what the process is; the entry says what is true of it, or it would be refused for that.
  const writer = database.role === "admin" || database.role === "ingesting" ? "acting" : database.role;
  const frame = { id: ids.next(), tenant, ts: Date.now(), writer, decisionId: done.decisionId, cause: done.entryId } as const;
  const draft = { ...frame, kind, facts: { forged: true }, bodies: {} };
  return database.inTenant(tenant, (tx) => writeEntries({ tx, drafts: [draft], keys }));
}
