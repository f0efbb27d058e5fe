import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { entryKinds, type WriterRole, writerRoles } from "../../src/contract/words.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { decide, ids, type LedgerFixture, one, openLedger, record, request } from "./ledger-fixture.ts";

// Each role tries what it must not. What counts is that PostgreSQL refuses, whatever code asks.
let ledger: LedgerFixture;
const clients = new Map<WriterRole, pg.Client>();
let known: { readonly entryId: string; readonly decisionId: string };

beforeAll(async () => {
  ledger = await openLedger();
  for (const role of writerRoles) {
    const client = new pg.Client({ connectionString: ledger.database.urls[role], options: "-c search_path=countersign" });
    await client.connect();
    clients.set(role, client);
  }
  known = await decide(ledger.journal);
  await decide(ledger.journal, request({ tenant: "globex" }));
  const open = request();
  await ledger.journal.open(open, 0);
  await ledger.journal.close(record(open));
  const headKeeper = { read: async () => null, keep: async () => {} };
  // Entries settle when older transactions of the server have ended, those of other test files included.
  await vi.waitFor(
    async () => expect((await sealTenant({ database: ledger.acting, tenant: "acme", headKeeper })).head?.seq).toBe(2),
    15_000,
  );
});
afterAll(async () => {
  await Promise.all([...clients.values()].map((client) => client.end()));
  await ledger.close();
});

/** Runs a statement as a role that has named `acme`, always rolled back; returns rows, or the SQLSTATE of the refusal. */
async function attempt(role: WriterRole, sql: string, values: readonly unknown[] = []): Promise<readonly object[] | string> {
  const client = clients.get(role);
  if (client === undefined) throw new Error("no such client");
  await client.query("begin");
  try {
    await client.query("select set_config('countersign.tenants', 'acme', true)");
    return (await client.query(sql, [...values])).rows;
  } catch (thrown) {
    return thrown instanceof pg.DatabaseError ? (thrown.code ?? "no code") : String(thrown);
  } finally {
    await client.query("rollback");
  }
}

/** Not granted, or against a row policy: PostgreSQL has one code for both. */
const refused = "42501";
const changeRefused = "CS001";

const insertEntry = (fields: { tenant?: string; kind: string }) => ({
  sql: `insert into entry (tenant, id, kind, decision_id, ts, body, hash) values ($1, $2, $3, $4, 0, '{}', sha256('{}'))`,
  values: [fields.tenant ?? "acme", ids.next(), fields.kind, ids.next()],
});

const mayWrite: Record<WriterRole, readonly string[]> = {
  deciding: ["decided", "stopped"],
  desk: ["approved", "rejected", "refused", "withdrawn", "resolved", "corrected"],
  acting: ["approved", "refused", "applying", "applied", "observed", "expired", "compensated", "escalated", "erased"],
};

describe.each(writerRoles)("the role %s", (role) => {
  test.each(entryKinds)("may or may not write an entry of kind %s, as the table of roles says", async (kind) => {
    const { sql, values } = insertEntry({ kind });
    expect(await attempt(role, sql, values)).toEqual(mayWrite[role].includes(kind) ? [] : refused);
  });

  test("cannot write another tenant's entry, though it has the kind", async () => {
    const { sql, values } = insertEntry({ tenant: "globex", kind: mayWrite[role][0] ?? "" });
    expect(await attempt(role, sql, values)).toBe(refused);
  });

  test("cannot write bytes beside a hash that is not theirs, which the check of the ledger would stumble over for ever", async () => {
    const sql = "insert into entry (tenant, id, kind, ts, body, hash) values ('acme', $1, $2, 0, '{}', sha256('{ }'))";
    expect(await attempt(role, sql, [ids.next(), mayWrite[role][0]])).toBe("23514");
  });

  test.each(["entry", "payload", "seal", "approval", "withdrawal", "operation", "slice"])(
    "sees no row of another tenant in %s",
    async (table) => {
      expect(await attempt(role, `select tenant from ${table} where tenant <> 'acme'`)).toEqual([]);
    },
  );

  test("sees nothing at all before it has named a tenant", async () => {
    const client = clients.get(role);
    expect((await client?.query("select id from entry"))?.rows).toEqual([]);
    expect((await client?.query("select entry_id from payload"))?.rows).toEqual([]);
  });

  test.each([
    [
      "set another writer",
      "insert into entry (tenant, id, kind, ts, body, hash, writer) values ('acme', $1, $2, 0, '{}', sha256('{}'), 'acting')",
    ],
    [
      "set its own transaction number",
      "insert into entry (tenant, id, kind, ts, body, hash, xid) values ('acme', $1, $2, 0, '{}', sha256('{}'), '3')",
    ],
    [
      "set its own place",
      "insert into entry (tenant, id, kind, ts, body, hash, n) overriding system value values ('acme', $1, $2, 0, '{}', sha256('{}'), 1)",
    ],
  ])("cannot %s", async (_, sql) => {
    expect(await attempt(role, sql, [ids.next(), mayWrite[role][0]])).toBe(refused);
  });

  test.each([
    ["change an entry", "update entry set body = '{}' where tenant = 'acme'"],
    ["remove an entry", "delete from entry where tenant = 'acme'"],
    ["empty the entries", "truncate entry cascade"],
    ["change a seal", "update seal set entry_hash = prev_hash where tenant = 'acme'"],
    ["remove a seal", "delete from seal where tenant = 'acme'"],
    ["empty the seals", "truncate seal"],
    ["remove a payload", "delete from payload where tenant = 'acme'"],
    ["empty the payloads", "truncate payload"],
    ["change what was spent", "update spend set cost_micros = 0 where tenant = 'acme'"],
    ["remove an intent", "delete from intent where tenant = 'acme'"],
    ["remove an approval", "delete from approval"],
    ["change a withdrawal", "update withdrawal set entry_id = approval_id"],
    ["remove a withdrawal", "delete from withdrawal"],
    ["remove a notice", "delete from notice"],
    ["switch a trigger off", "alter table entry disable trigger all"],
    ["switch the policies off", "alter table entry disable row level security"],
    ["run as replica, where triggers do not fire", "set session_replication_role = replica"],
    ["make a tenant", "insert into tenant (id, name) values ('mine', 'Mine')"],
    ["become another role", `set role ${role === "acting" ? "desk" : "acting"}`],
    ["read the list of passwords", "select * from pg_authid"],
    ["make a table of its own", "create table countersign.mine ()"],
  ])("cannot %s", async (_, sql) => {
    expect(await attempt(role, sql)).toBe(refused);
  });
});

describe.each(writerRoles)("a payload by the role %s", (role) => {
  test.each(writerRoles)("stands only beside an entry of its own, here of %s", async (writer) => {
    // The owner may say who wrote; the entry has no payload yet.
    const id = ids.next();
    await ledger.owner.query(
      `insert into countersign.entry (tenant, id, kind, decision_id, ts, body, hash, writer)
       values ('acme', $1, 'approved', $2, 0, '{}', sha256('{}'), $3)`,
      [id, ids.next(), writer],
    );
    const put = "insert into payload (tenant, entry_id, body) values ('acme', $1, 'x') returning tenant";
    expect(await attempt(role, put, [id])).toEqual(writer === role ? [{ tenant: "acme" }] : refused);
  });

  test("stands beside no entry that is not there", async () => {
    expect(await attempt(role, "insert into payload (tenant, entry_id, body) values ('acme', $1, 'x')", [ids.next()])).toBe(
      refused,
    );
  });
});

describe("the database", () => {
  const outOfBounds = "23514";

  test.each(["-1", "8640000000000001", "9007199254740991"])(
    "keeps no entry of the time %s, which no date can hold",
    async (ts) => {
      const sql = `insert into entry (tenant, id, kind, decision_id, effects, ts, body, hash)
      values ('acme', $1, 'stopped', $2, 0, ${ts}, '{}', decode(repeat('00', 32), 'hex'))`;
      expect(await attempt("deciding", sql, [ids.next(), ids.next()])).toBe(outOfBounds);
    },
  );

  test("keeps no approval of an effect before the first", async () => {
    const sql = `insert into approval (tenant, id, decision_id, effect_index, granted_by, approver, body, signature, entry_id)
      values ('acme', $1, $2, -5, 'person', 'ada', '{}', 'x', $3)`;
    expect(await attempt("desk", sql, [ids.next(), ids.next(), ids.next()])).toBe(outOfBounds);
  });
});

describe("the role deciding", () => {
  const approval = (grantedBy: string) => ({
    sql: `insert into approval (tenant, id, decision_id, effect_index, granted_by, approver, body, signature, entry_id)
          values ('acme', $1, $2, 0, '${grantedBy}', 'ada', '{}', 'x', $3)`,
    values: [ids.next(), ids.next(), ids.next()],
  });

  test.each(["person", "policy"])("cannot forge an approval of a %s", async (grantedBy) => {
    const { sql, values } = approval(grantedBy);
    expect(await attempt("deciding", sql, values)).toBe(refused);
  });

  test.each([
    ["begin an operation", "insert into operation (tenant) values ('acme')"],
    ["seal", "insert into seal (tenant, seq, entry_id, prev_hash, entry_hash) values ('acme', 99, $1, '', '')"],
    [
      "open a slice",
      "insert into slice (tenant, capability, capability_version, slice, threshold_ppm, granted_at, approval_id, entry_id) values ('acme', 'a', '1', 's', 0, 0, $1, $1)",
    ],
    ["lower a slice", "update slice set threshold_ppm = 0 where approval_id <> $1"],
    ["erase a payload", "update payload set body = null, erased_at = now() where entry_id <> $1"],
    ["take up a review", "insert into claim (tenant, decision_id) values ('acme', $1)"],
    ["withdraw an approval", "insert into withdrawal (tenant, approval_id, entry_id) values ('acme', $1, $1)"],
    [
      "tell people anything",
      "insert into notice (tenant, id, kind, decision_id, entry_id, to_kind, to_name) values ('acme', $1, 'outcome', $1, $1, 'role', 'x')",
    ],
    [
      "stop anything in an emergency",
      "insert into halt (tenant, id, scope, name, is_stopped, by_principal, reason) values ('acme', $1, 'tenant', '*', true, 'eve', 'x')",
    ],
    [
      "say what became of an operation",
      "insert into resolution (tenant, operation_id, entry_id, outcome) values ('acme', $1, $1, 'happened')",
    ],
    ["take a proposal off the list of what waits", "delete from waiting where decision_id <> $1"],
    ["give an intent another owner", "update intent set principal = 'bob' where decision_id <> $1"],
  ])("cannot %s", async (_, sql) => {
    expect(await attempt("deciding", sql, sql.includes("$1") ? [ids.next()] : [])).toBe(refused);
  });

  test("does not see or end another tenant's intent", async () => {
    expect(await attempt("deciding", "select tenant from intent where tenant = 'globex'")).toEqual([]);
    expect(await attempt("deciding", "update intent set ended = false where tenant = 'globex' returning tenant")).toEqual([]);
  });

  test("puts no decision of another tenant on the list of what waits", async () => {
    const put = "insert into waiting (tenant, decision_id) values ($1, $2)";
    expect(await attempt("deciding", put, ["acme", ids.next()])).toEqual([]);
    expect(await attempt("deciding", put, ["globex", ids.next()])).toBe(refused);
  });

  test("cannot write a second outcome for a decision, even after it has opened the intent again", async () => {
    const second = `insert into entry (tenant, id, kind, decision_id, ts, body, hash) values ('acme', $1, 'stopped', $2, 0, '{}', sha256('{}'))`;
    expect(await attempt("deciding", second, [ids.next(), known.decisionId])).toBe("23505");
  });
});

describe.each(["desk", "acting"] as const)("on the list of what waits, the role %s", (role) => {
  test("puts nothing, and takes nothing of another tenant off", async () => {
    expect(await attempt(role, "insert into waiting (tenant, decision_id) values ('acme', $1)", [ids.next()])).toBe(refused);
    await ledger.owner.query("insert into countersign.waiting (tenant, decision_id) values ('globex', $1), ('acme', $1)", [
      ids.next(),
    ]);
    expect(await attempt(role, "delete from waiting returning tenant")).toContainEqual({ tenant: "acme" });
    expect(await attempt(role, "delete from waiting where tenant = 'globex' returning tenant")).toEqual([]);
    expect(await attempt(role, "select tenant from waiting where tenant = 'globex'")).toEqual([]);
  });
});

describe("the role desk", () => {
  test("approves as a person only, never as policy, and never an approval that is consumed already", async () => {
    const columns = "tenant, id, granted_by, approver, body, signature, entry_id";
    const insert = (grantedBy: string) =>
      `insert into approval (${columns}) values ('acme', $1, '${grantedBy}', 'eve', '{}', 'x', $2)`;
    expect(await attempt("desk", insert("person"), [ids.next(), ids.next()])).toEqual([]);
    expect(await attempt("desk", insert("policy"), [ids.next(), ids.next()])).toBe(refused);
    const consumed = `insert into approval (${columns}, state) values ('acme', $1, 'person', 'eve', '{}', 'x', $2, 'consumed')`;
    expect(await attempt("desk", consumed, [ids.next(), ids.next()])).toBe(refused);
  });

  test.each([
    [
      "begin a decision",
      "insert into intent (tenant, decision_id, entry_id, capability, principal, request_digest, lease_until) values ('acme', $1, $1, 'c', 'p', '', now())",
    ],
    ["seal", "insert into seal (tenant, seq, entry_id, prev_hash, entry_hash) values ('acme', 99, $1, '', '')"],
    ["begin an operation", "insert into operation (tenant, id) values ('acme', $1)"],
    [
      "open a slice",
      "insert into slice (tenant, capability, capability_version, slice, threshold_ppm, granted_at, approval_id, entry_id) values ('acme', 'a', '1', 's', 0, 0, $1, $1)",
    ],
    ["erase a payload", "update payload set body = null, erased_at = now() where entry_id <> $1"],
    ["change an approval", "update approval set state = 'withdrawn' where id <> $1"],
    ["withdraw what is not there", "insert into withdrawal (tenant, approval_id, entry_id) values ('acme', $1, $1)"],
    ["say that a notice was sent", "update notice set state = 'sent' where id <> $1"],
    ["take back that something was stopped", "delete from halt where id <> $1"],
    ["change who stopped something", "update halt set by_principal = 'bob' where id <> $1"],
    [
      "stop another tenant",
      "insert into halt (tenant, id, scope, name, is_stopped, by_principal, reason) values ('globex', $1, 'tenant', '*', true, 'eve', 'x')",
    ],
    ["say that a resolution was carried out", "update resolution set done = true where entry_id <> $1"],
    ["take a resolution back", "delete from resolution where entry_id <> $1"],
    [
      "tell another tenant's people",
      "insert into notice (tenant, id, kind, decision_id, entry_id, to_kind, to_name) values ('globex', $1, 'outcome', $1, $1, 'role', 'x')",
    ],
    ["call the journal", "select * from open_decisions('acme', 1, 1, 'acme', $1::text, '', '', '', '', '', '', '', '')"],
  ])("cannot %s", async (_, sql) => {
    expect(await attempt("desk", sql, [ids.next()])).toBe(refused);
  });
});

describe("the role acting", () => {
  test("sees of intents which have not ended, no spend, and begins no decision", async () => {
    expect(await attempt("acting", "select decision_id from intent where not ended")).toEqual([]);
    for (const column of ["principal", "idempotency_key", "request_digest", "capability"])
      expect(await attempt("acting", `select ${column} from intent`)).toBe(refused);
    for (const table of ["intent", "spend"]) expect(await attempt("acting", `select * from ${table}`)).toBe(refused);
    const begin =
      "insert into intent (tenant, decision_id, entry_id, capability, principal, request_digest, lease_until) values ('acme', $1, $1, 'c', 'p', '', now())";
    expect(await attempt("acting", begin, [ids.next()])).toBe(refused);
  });

  test("stops nothing, lifts nothing, and says of no operation what became of it", async () => {
    const halt = (isStopped: boolean) =>
      `insert into halt (tenant, id, scope, name, is_stopped, by_principal, reason) values ('acme', $1, 'tenant', '*', ${isStopped}, 'eve', 'x')`;
    for (const isStopped of [true, false]) expect(await attempt("acting", halt(isStopped), [ids.next()])).toBe(refused);
    const resolve = "insert into resolution (tenant, operation_id, entry_id, outcome) values ('acme', $1, $1, 'happened')";
    expect(await attempt("acting", resolve, [ids.next()])).toBe(refused);
    expect(await attempt("acting", "update resolution set outcome = 'happened' where entry_id <> $1", [ids.next()])).toBe(
      refused,
    );
  });

  test("withdraws nothing, and takes nothing up", async () => {
    const withdraw = "insert into withdrawal (tenant, approval_id, entry_id) values ('acme', $1, $1)";
    expect(await attempt("acting", withdraw, [ids.next()])).toBe(refused);
    expect(await attempt("acting", "insert into claim (tenant, decision_id) values ('acme', $1)", [ids.next()])).toBe(refused);
  });

  test("approves as policy only, never as a person", async () => {
    const insert = (grantedBy: string) =>
      `insert into approval (tenant, id, granted_by, approver, body, signature, entry_id) values ('acme', $1, '${grantedBy}', 'eve', '{}', 'x', $2)`;
    expect(await attempt("acting", insert("policy"), [ids.next(), ids.next()])).toEqual([]);
    expect(await attempt("acting", insert("person"), [ids.next(), ids.next()])).toBe(refused);
  });

  test.each(["to_name = 'eve'", "decision_id = entry_id", "at = now()", "writer = 'desk'"])(
    "may not put `%s` into a notice that it sends",
    async (change) => {
      expect(await attempt("acting", `update notice set ${change} where tenant = 'acme'`)).toBe(refused);
    },
  );

  test("erases a payload, and puts nothing else in its place", async () => {
    const erase = "update payload set body = null, erased_at = now() where entry_id = $1 returning tenant";
    expect(await attempt("acting", erase, [known.entryId])).toEqual([{ tenant: "acme" }]);
    expect(await attempt("acting", "update payload set body = 'x' where entry_id = $1", [known.entryId])).toBe(refused);
  });

  test("cannot seal an entry twice, or another one in a place that is taken", async () => {
    const seal = (seq: number, entryId: string) =>
      attempt("acting", "insert into seal (tenant, seq, entry_id, prev_hash, entry_hash) values ('acme', $1, $2, '', '')", [
        seq,
        entryId,
      ]);
    expect(await seal(99, known.entryId)).toBe("23505");
    expect(await seal(1, ids.next())).toBe("23505");
  });
});

describe("the owner, whose hand may slip", () => {
  test.each([
    ["update countersign.entry set body = '{}'"],
    ["delete from countersign.entry"],
    ["truncate countersign.entry cascade"],
    ["update countersign.seal set entry_hash = prev_hash"],
    ["delete from countersign.seal"],
    ["truncate countersign.seal"],
    ["delete from countersign.payload"],
    ["truncate countersign.payload"],
    ["update countersign.spend set cost_micros = 0"],
    ["truncate countersign.spend"],
  ])("is stopped by a trigger at `%s`", async (sql) => {
    const before = await one(ledger.owner, "select count(*)::int from countersign.entry");
    await expect(ledger.owner.query(sql)).rejects.toMatchObject({ code: changeRefused });
    expect(await one(ledger.owner, "select count(*)::int from countersign.entry")).toBe(before);
  });

  test("is named as the writer of what it writes, so that a restored row keeps its own and a new one shows", async () => {
    expect(await one(ledger.owner, "select rolsuper from pg_roles where rolname = current_user")).toBe(true);
    for (const role of writerRoles) {
      const flags =
        "select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolinherit from pg_roles where rolname = $1";
      expect(await one(ledger.owner, flags, [role])).toBe(false);
    }
  });
});
