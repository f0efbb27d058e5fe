import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemoryDraft, MemoryKind, MemoryRule, MemoryScope } from "../../src/contract/memory.ts";
import { type AllowLists, type Envelope, everything } from "../../src/contract/principal.ts";
import { openMemory } from "../../src/know/memory/memory.ts";
import { expireAllMemory, expireMemory, forgetMemory, keepMemory } from "../../src/know/memory/write.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

const hour = 3_600_000;
const decisionId = "00000000-0000-7000-8000-000000000001";
const rule = (of: MemoryKind, scope: MemoryScope, own: Partial<MemoryRule> = {}): MemoryRule => ({
  of,
  scope,
  most: 5,
  keepMs: hour,
  ...own,
});
const remembers = [
  rule("preference", "user"),
  rule("episode", "session"),
  rule("summary", "session", { most: 1 }),
  rule("semantic", "tenant"),
  rule("entity", "tenant"),
  rule("entity", "user"),
];

let made: MigratedDatabase;
let deciding: Database;
let acting: Database;
beforeAll(async () => {
  made = await createMigratedDatabase();
  deciding = openDatabase({ url: made.urls.deciding, role: "deciding" });
  acting = openDatabase({ url: made.urls.acting, role: "acting" });
});
afterAll(async () => {
  await deciding?.close();
  await acting?.close();
  await made?.drop();
});

interface Asker {
  readonly tenant?: string;
  readonly id?: string;
  readonly onBehalfOf?: string | null;
  readonly session?: string | null;
  readonly scopes?: readonly string[];
  readonly allow?: AllowLists;
  readonly at?: number;
  readonly capability?: string;
}

function envelopeOf({ tenant = "acme", id = "erin", onBehalfOf = null, session = null, ...asker }: Asker): Envelope {
  const principal = { tenant, id, roles: ["employee"], attributes: {}, onBehalfOf, allow: asker.allow ?? everything };
  const runtime = { session, workflow: null, openApprovals: null, region: null, flags: [] };
  return { principal, scopes: asker.scopes ?? ["tenant:all"], environment: "test", at: asker.at ?? Date.now(), runtime };
}

async function keep(
  draft: Partial<MemoryDraft> & Pick<MemoryDraft, "of" | "text">,
  by: Asker = {},
  rules = remembers,
): Promise<string> {
  const { tenant = "acme", id = "erin", onBehalfOf = null } = by;
  const scope = draft.scope ?? "user";
  const usual = { scope, owner: id, about: null, session: by.session ?? null, scopes: scope === "tenant" ? ["tenant:all"] : [] };
  return acting.inTenant(tenant, (tx) =>
    keepMemory(
      { tx, tenant, capability: by.capability ?? "notes", decisionId, onBehalfOf },
      { draft: { ...usual, ...draft }, remembers: rules },
    ),
  );
}

async function recall(of: MemoryKind, scope: MemoryScope, asker: Asker = {}, own: Partial<MemoryRule> & { about?: string } = {}) {
  const { about, ...changed } = own;
  const need = { kind: "memory", name: "m", of, scope, limit: 10, ...(about === undefined ? {} : { about }) } as const;
  const { recall: read } = openMemory({ database: asker.tenant === "owner" ? acting : deciding, readNotes: async () => [] });
  return (await read({ ...need, rule: rule(of, scope, changed) }, envelopeOf(asker))).map(({ text }) => text);
}

describe("what is kept", () => {
  it("is read back with its time and the decision that it was kept for", async () => {
    await keep({ of: "preference", text: "answers in Danish" }, { id: "kim" });
    const { recall: read } = openMemory({ database: deciding, readNotes: async () => [] });
    const need = {
      kind: "memory",
      name: "m",
      of: "preference",
      scope: "user",
      limit: 1,
      rule: rule("preference", "user"),
    } as const;
    expect(await read(need, envelopeOf({ id: "kim" }))).toEqual([
      {
        ...{ kind: "memory", id: expect.stringMatching(/^memory:/), need: "m", of: "preference", scope: "user", about: null },
        ...{ text: "answers in Danish", at: expect.any(Number), decisionId },
      },
    ]);
  });

  it("is the owner's alone: nobody else's, not an agent's for them, not of another tenant", async () => {
    await keep({ of: "preference", text: "erin's" });
    await keep({ of: "preference", text: "bot's for erin" }, { id: "bot", onBehalfOf: "erin" });
    await keep({ of: "preference", text: "erin's at globex" }, { tenant: "globex" });
    expect(await recall("preference", "user")).toEqual(["erin's"]);
    expect(await recall("preference", "user", { id: "eve" })).toEqual([]);
    expect(await recall("preference", "user", { id: "bot" })).toEqual([]);
    expect(await recall("preference", "user", { id: "bot", onBehalfOf: "erin" })).toEqual(["bot's for erin"]);
    expect(await recall("preference", "user", { tenant: "globex" })).toEqual(["erin's at globex"]);
  });

  it("of a session is that session's of that person: a stale session, another's of the same name and none see nothing", async () => {
    await keep({ of: "episode", scope: "session", text: "asked for a lamp" }, { session: "s-1" });
    expect(await recall("episode", "session", { session: "s-1" })).toEqual(["asked for a lamp"]);
    for (const asker of [
      { session: "s-2" },
      { session: null },
      { session: "s-1", id: "eve" },
      { session: "s-1", tenant: "globex" },
    ])
      expect(await recall("episode", "session", asker)).toEqual([]);
  });

  it("of the tenant is seen with its labels alone", async () => {
    await keep({ of: "semantic", scope: "tenant", text: "lamps last two years" });
    await keep({ of: "semantic", scope: "tenant", text: "lamps are to be phased out", scopes: ["role:board"] });
    expect(await recall("semantic", "tenant", { id: "eve" })).toEqual(["lamps last two years"]);
    expect(await recall("semantic", "tenant", { scopes: ["role:board"] })).toEqual(["lamps are to be phased out"]);
    for (const scopes of [[], ["role:boar"], ["role:board' or true"]])
      expect(await recall("semantic", "tenant", { scopes })).toEqual([]);
  });

  it("of an entity is found by that entity", async () => {
    await keep({ of: "entity", text: "pr-1 flickers", about: "projector:pr-1" });
    await keep({ of: "entity", text: "pr-2 hums", about: "projector:pr-2" });
    expect(await recall("entity", "user", {}, { about: "projector:pr-1" })).toEqual(["pr-1 flickers"]);
    expect((await recall("entity", "user")).sort()).toEqual(["pr-1 flickers", "pr-2 hums"]);
  });

  it("is held to an account's list of record queries", async () => {
    const allowed = (records: readonly string[]) => recall("preference", "user", { allow: { ...everything, records } });
    expect(await allowed(["memory.preference"])).toEqual(["erin's"]);
    for (const list of [[], ["memory"], ["memory.episode"]]) expect(await allowed(list)).toEqual([]);
  });

  it.each<[string, Partial<MemoryDraft> & Pick<MemoryDraft, "of" | "text">, string]>([
    ["a kind without a rule", { of: "episode", text: "x" }, "definition_invalid"],
    ["a turn, which the ledger keeps", { of: "turn" as never, text: "x" }, "definition_invalid"],
    ["no words", { of: "preference", text: "  " }, "bad_request"],
    ["NUL", { of: "preference", text: "a\0" }, "bad_request"],
    ["too many words", { of: "preference", text: "x".repeat(4001) }, "bad_request"],
    ["a session's without a session", { of: "episode", scope: "session", text: "x" }, "bad_request"],
    ["the tenant's without labels", { of: "semantic", scope: "tenant", text: "x", scopes: [] }, "bad_request"],
    ["a person's with labels", { of: "preference", text: "x", scopes: ["tenant:all"] }, "bad_request"],
    ["of an entity without one", { of: "entity", text: "x" }, "bad_request"],
  ])("is refused: %s", async (_, draft, code) => {
    await expect(keep(draft)).rejects.toMatchObject({ code });
  });

  it("is not written by the deciding half, and not rewritten by anybody", async () => {
    const text =
      "insert into memory (tenant, kind, scope, owner, body, scopes, capability, decision_id, expires_at) values ('acme', 'preference', 'user', 'erin', 'x', '{}', 'c', gen_random_uuid(), 1)";
    for (const one of [text, "update memory set confirmed_at = 1", "delete from memory"])
      await expect(
        deciding.inTenant("acme", (tx) => sql.raw(one).execute(tx)),
        one,
      ).rejects.toMatchObject({ code: "42501" });
    for (const one of ["update memory set body = 'x'", "update memory set owner = 'eve'"])
      await expect(
        acting.inTenant("acme", (tx) => sql.raw(one).execute(tx)),
        one,
      ).rejects.toMatchObject({ code: "42501" });
  });
});

describe("what is forgotten", () => {
  it("is more than the rule keeps, the one that was confirmed longest ago first", async () => {
    const by = { id: "lru" };
    const rules = [rule("preference", "user", { most: 3 })];
    for (const text of ["one", "two", "three"]) await keep({ of: "preference", text }, by, rules);
    await keep({ of: "preference", text: "one" }, by, rules);
    await keep({ of: "preference", text: "four" }, by, rules);
    expect(await recall("preference", "user", by)).toEqual(["four", "one", "three"]);
    expect(await recall("preference", "user", by, { most: 2 })).toEqual(["four", "one"]);
  });

  it("is the summary before the last one", async () => {
    const by = { session: "s-9" };
    for (const text of ["so far: a", "so far: a, b"]) await keep({ of: "summary", scope: "session", text }, by);
    expect(await recall("summary", "session", by)).toEqual(["so far: a, b"]);
  });

  it("is of one capability: what another keeps, under a rule of its own, stays", async () => {
    const by = { id: "two-rules" };
    for (const text of ["a", "b", "c"]) await keep({ of: "preference", text }, by);
    const narrow = [rule("preference", "user", { most: 1 })];
    for (const text of ["a", "d"]) await keep({ of: "preference", text }, { ...by, capability: "other" }, narrow);
    expect(await recall("preference", "user", by)).toEqual(expect.arrayContaining(["a", "b", "c"]));
    const { rows } = await acting.inTenant("acme", (tx) =>
      sql`select capability, body from memory where owner = 'two-rules' order by capability, body`.execute(tx),
    );
    expect(rows).toEqual([...["a", "b", "c"].map((body) => ({ capability: "notes", body })), { capability: "other", body: "d" }]);
  });

  it("of the tenant is of the same labels: what few may see takes no place from what all may", async () => {
    const [all, board] = [{ id: "x", capability: "labelled" }, ["role:labelled"]];
    const rules = [rule("semantic", "tenant", { most: 2 })];
    for (const text of ["m", "n"]) await keep({ of: "semantic", scope: "tenant", text, scopes: ["team:m"] }, all, rules);
    for (const text of ["o", "p", "q"]) await keep({ of: "semantic", scope: "tenant", text, scopes: board }, all, rules);
    // Two of one millisecond have no order.
    expect((await recall("semantic", "tenant", { scopes: ["team:m"] })).sort()).toEqual(["m", "n"]);
    expect(await recall("semantic", "tenant", { scopes: board })).toHaveLength(2);
  });

  it("of the tenant is counted whoever it was decided for, also of two at the same moment", async () => {
    const rules = [rule("semantic", "tenant", { most: 1 })];
    const draft = { of: "semantic", scope: "tenant", scopes: ["team:one"] } as const;
    let other: Promise<unknown> = Promise.resolve();
    await acting.inTenant("acme", async (tx) => {
      const whole = { ...draft, text: "first", owner: "ann", about: null, session: null };
      await keepMemory(
        { tx, tenant: "acme", capability: "notes", decisionId, onBehalfOf: null },
        { draft: whole, remembers: rules },
      );
      let isOver = false;
      other = keep({ ...draft, text: "second" }, { id: "bob" }, rules).finally(() => {
        isOver = true;
      });
      // Held up by the first where they take turns; through at once where they do not.
      for (let waits = false; !waits && !isOver; ) {
        // Looks anew each time: within a transaction the server looks once.
        const { rows } = await acting.inTenant("acme", (looking) =>
          sql<{ waits: boolean }>`select exists (
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(
            looking,
          ),
        );
        waits = rows[0]?.waits === true;
      }
    });
    await other;
    expect(await recall("semantic", "tenant", { scopes: ["team:one"] })).toEqual(["second"]);
    const { rows } = await acting.inTenant("acme", (tx) =>
      sql`select body from memory where scopes = array['team:one']`.execute(tx),
    );
    expect(rows).toEqual([{ body: "second" }]);
  });

  it("is too old by the rule as it was when it was kept, and as it is now", async () => {
    const by = { id: "old" };
    await keep({ of: "preference", text: "soon gone" }, by, [rule("preference", "user", { keepMs: 50_000 })]);
    const at = Date.now();
    expect(await recall("preference", "user", by)).toEqual(["soon gone"]);
    expect(await recall("preference", "user", { ...by, at: at + 60_000 })).toEqual([]);
    expect(await recall("preference", "user", { ...by, at: at + 20_000 }, { keepMs: 10_000 })).toEqual([]);
    await acting.inTenant("acme", (tx) => sql`update memory set expires_at = 1 where owner = 'old'`.execute(tx));
    expect(await acting.inTenant("acme", (tx) => expireMemory({ tx, tenant: "acme" }))).toBe(1);
    expect(await acting.inTenant("acme", (tx) => expireMemory({ tx, tenant: "acme" }))).toBe(0);
  });

  it("is, once expired, removed of every tenant, in parts", async () => {
    for (const tenant of ["acme", "globex"]) {
      for (const text of ["one", "two", "stays"]) await keep({ of: "preference", text }, { id: "gone", tenant });
      await acting.inTenant(tenant, (tx) =>
        sql`update memory set expires_at = 1 where owner = 'gone' and body <> 'stays'`.execute(tx),
      );
    }
    expect(await acting.inTenant("acme", (tx) => expireMemory({ tx, tenant: "acme" }, 1))).toBe(1);
    expect(await expireAllMemory(acting, (thrown) => expect.unreachable(String(thrown)))).toBe(3);
    for (const tenant of ["acme", "globex"])
      expect(await recall("preference", "user", { id: "gone", tenant })).toEqual(["stays"]);
  });

  it("is all of a person, their agents' too, of a session, or about an entity, and of no other tenant", async () => {
    const kept = { of: "preference", text: "mine" } as const;
    await keep(kept, { id: "zoe" });
    await keep(kept, { id: "bot", onBehalfOf: "zoe" });
    await keep(kept, { id: "zoe", tenant: "globex" });
    await keep({ of: "episode", scope: "session", text: "x" }, { id: "zoe", session: "s-3" });
    await keep({ of: "episode", scope: "session", text: "y" }, { id: "zoe", session: "s-4" });
    const forget = (what: Parameters<typeof forgetMemory>[1]) =>
      acting.inTenant("acme", (tx) => forgetMemory({ tx, tenant: "acme" }, what));
    expect(await forget({ owner: "zoe", session: "s-3" })).toBe(1);
    expect(await recall("episode", "session", { id: "zoe", session: "s-4" })).toEqual(["y"]);
    expect(await forget({ owner: "zoe" })).toBe(3);
    expect(await recall("preference", "user", { id: "zoe" })).toEqual([]);
    expect(await recall("preference", "user", { id: "zoe", tenant: "globex" })).toEqual(["mine"]);
    await keep({ of: "entity", text: "pr-7 hums", about: "projector:pr-7" });
    expect(await forget({ about: "projector:pr-7" })).toBe(1);
    expect(await recall("entity", "user", {}, { about: "projector:pr-7" })).toEqual([]);
  });
});
