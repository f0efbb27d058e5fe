import { createPrivateKey, createPublicKey } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LicensedEffect } from "../../src/approve/licence.ts";
import { assertApproved } from "../../src/approve/verify.ts";
import { processEnvironments } from "../../src/cli/environments.ts";
import type { Approved } from "../../src/contract/approval.ts";
import type { OperationState } from "../../src/contract/words.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { listen } from "../../src/server/listen.ts";
import { openDatabase } from "../../src/store/database.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { secretsOf } from "../../src/worker.ts";
import { cruise } from "../imports/cruise.ts";
import { repository } from "../imports/house-table.ts";
import { forgeApproval } from "../postgres/acting/forge.ts";
import { House, newKey, people } from "../postgres/acting/house.ts";
import { sampleHands } from "../postgres/acting/project.ts";
import { openTestDoors, putTestPeople } from "../setup/people.ts";

// Law 1: only the substrate changes business state, and the deciding side cannot sign: it has no import, credential, database grant
// or key that can, and what it forges all the same is refused.
let house: House;
let decisionId: string;
beforeAll(async () => {
  house = await House.build();
  decisionId = await house.decide({ changes: [house.add("law-1")] });
});
afterAll(() => house?.close());

const refusedByTheDatabase = /permission denied|row-level security/;

describe("law 1: the deciding side cannot act and cannot sign", () => {
  test("it has no import that leads to what acts, approves or writes", { timeout: 60_000 }, async () => {
    const { modules, refusals } = await cruise(repository, ["src"]);
    expect(modules.some(({ source }) => source === "src/act/apply.ts")).toBe(true);
    expect(modules.some(({ source }) => source === "src/decide/graph.ts")).toBe(true);
    expect(refusals.filter(({ rule }) => rule.startsWith("agent-cannot"))).toEqual([]);
  });

  test("its vault resolves neither the writing credential nor a signing key", () => {
    const declared = secretsOf(sampleHands(house.sample));
    const env = {
      SANDBOX_WRITE: "secret",
      SANDBOX_OBSERVE: "secret",
      COUNTERSIGN_POLICY_KEY: "secret",
      COUNTERSIGN_DESK_KEY: "secret",
    };
    const vault = environmentVault({ side: "deciding", env, declared });
    for (const name of Object.keys(env))
      expect(() => vault.secret(name)).toThrow(expect.objectContaining({ code: "secret_missing" }));
  });

  const at = new Date();
  const approval = {
    decision_id: null,
    effect_index: null,
    granted_by: "person",
    approver: "ada",
    body: "{}",
    signature: "",
  } as const;
  const operation = {
    effect: "e",
    key: "k",
    params_digest: "",
    effect_index: 0,
    lease_until: at,
    due_at: at,
    deadline_at: at,
    last_send_at: null,
  };
  test.each<[string, (tx: Parameters<Parameters<House["deciding"]["inTenant"]>[1]>[0], id: string) => Promise<unknown>]>([
    [
      "put in a person's approval",
      (tx, id) =>
        tx
          .insertInto("approval")
          .values({ tenant: "acme", id, entry_id: id, ...approval })
          .execute(),
    ],
    [
      "put in policy's approval",
      (tx, id) =>
        tx
          .insertInto("approval")
          .values({ tenant: "acme", id, entry_id: id, ...approval, granted_by: "policy" })
          .execute(),
    ],
    ["revive or consume an approval", (tx) => tx.updateTable("approval").set({ state: "granted" }).execute()],
    [
      "begin an operation",
      (tx, id) =>
        tx
          .insertInto("operation")
          .values({
            tenant: "acme",
            id,
            approval_id: id,
            decision_id: id,
            last_entry_id: id,
            state: "applying" as OperationState,
            ...operation,
          })
          .execute(),
    ],
    ["move an operation", (tx) => tx.updateTable("operation").set({ state: "complete" }).execute()],
    [
      "open a slice",
      (tx, id) =>
        tx
          .insertInto("slice")
          .values({
            tenant: "acme",
            capability: "tickets",
            capability_version: "1",
            slice: "all",
            threshold_ppm: 0,
            granted_at: 0,
            approval_id: id,
            entry_id: id,
          })
          .execute(),
    ],
    [
      "claim a review",
      (tx, id) => tx.insertInto("claim").values({ tenant: "acme", decision_id: id, principal: null, until: null }).execute(),
    ],
    ["turn back what policy has read", (tx) => tx.updateTable("progress").set({ xid: "0", n: "0" }).execute()],
  ])("its database role cannot %s", async (_what, attempt) => {
    const id = house.ids.next();
    await expect(house.deciding.inTenant("acme", (tx) => attempt(tx, id))).rejects.toThrow(refusedByTheDatabase);
  });

  test.each([
    "approved",
    "rejected",
    "withdrawn",
    "resolved",
    "refused",
    "applying",
    "applied",
    "observed",
    "escalated",
  ] as const)("its database role cannot write an entry `%s`", async (kind) => {
    const row = {
      tenant: "acme",
      id: house.ids.next(),
      kind,
      decision_id: decisionId,
      cause: null,
      capability: null,
      route: null,
      ts: 1,
      body: "{}",
      hash: Buffer.alloc(32),
    };
    await expect(house.deciding.inTenant("acme", (tx) => tx.insertInto("entry").values(row).execute())).rejects.toThrow(
      refusedByTheDatabase,
    );
  });

  test("an approval under a key of its own changes nothing, even if it gets into the table, and leaves an entry", async () => {
    await forgeApproval(house, { decisionId, secret: newKey().secret });
    expect(await house.worker().runOnce()).toMatchObject({ refused: 1, reserved: 0 });
    expect(await house.tickets("law-1")).toEqual([]);
    expect((await house.story(decisionId)).at(-1)).toBe("refused approval_invalid");
  });

  test("a proposal that only claims to be `auto` changes nothing", async () => {
    const claimed = await house.decide({ changes: [house.add("law-1-auto")], route: "auto", confidencePpm: 1_000_000 });
    await house.worker().runOnce();
    expect(await house.tickets("law-1-auto")).toEqual([]);
    expect((await house.story(claimed)).at(-1)).toBe("refused policy_refuses");
  });

  test("what was not verified is not sent, whatever its type says", () => {
    // What hostile code in the acting half would write: a cast to the brand. The assert knows what `verify.ts` made.
    const cast = { kind: "effect" } as unknown as Approved<LicensedEffect>;
    expect(() => assertApproved(cast)).toThrow(expect.objectContaining({ code: "approval_invalid" }));
  });

  test("and a person's signature is all that it takes for the same proposal", async () => {
    const signed = await house.decide({ changes: [house.add("law-1-signed")] });
    await house.desk().approve({ principal: people.ada, decisionId: signed });
    await house.worker().runOnce();
    expect(await house.tickets("law-1-signed")).toHaveLength(1);
  });

  test("the key that it is sent of a person signs nothing at the desk, where the person's own key does", async () => {
    const key = "key-of-ada-for-law-1";
    const waiting = await house.decide({ changes: [house.add("law-1-key")] });
    // Stands where the decider listens and keeps what reaches it.
    const decider = createServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    await once(decider.listen(0, "127.0.0.1"), "listening");
    const address = decider.address();
    const deciderUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    await putTestPeople(house.store.adminUrl, [{ tenant: "acme", id: people.ada.id, roles: ["approver"], key }]);
    const signing = openDatabase({ url: house.store.urls.desk, role: "desk" });
    const deciding = openDatabase({ url: house.store.urls.deciding, role: "deciding" });
    const doors = openTestDoors({ desk: signing, deciding });
    const app = deskRoutes({ desk: house.desk(), ...doors, deciderUrl, demoPeople: null, log: () => {} });
    const desk = await listen({ app, host: "127.0.0.1", port: 0 });
    const post = (path: string, authorization: string, body: object) =>
      fetch(`${desk.url}${path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    try {
      const arrived = once(decider, "request");
      await post("/v1/ask", `Bearer ${key}`, { text: "anything" });
      const received: string = (await arrived)[0].headers.authorization;
      expect(received).toMatch(/^Bearer \S{20,}$/);
      expect((await post(`/v1/reviews/${waiting}/approve`, received, {})).status).toBe(401);
      expect((await post(`/v1/reviews/${waiting}/approve`, `Bearer ${key}`, {})).status).toBe(200);
    } finally {
      await Promise.all([desk.close(), signing.close(), deciding.close()]);
      decider.close();
      decider.closeAllConnections();
    }
  });

  test("what it is told of people is who may speak for them: a public key, and no hash and no key of anybody", async () => {
    const secrets = {
      version: 1,
      payloadKey: "p",
      deskKey: "d",
      deskPublicKey: "o",
      policyKey: "y",
      privacyKeys: { secret: "signs-exemptions", open: "verifies-them" },
      ledgerKeys: { secret: "signs-checkpoints", open: "verifies-checkpoints" },
      slicesOpened: false,
    } as const;
    const settings = {
      ...secrets,
      people: [],
      canary: "c",
      rolePasswords: { deciding: "1", desk: "2", acting: "3", ingesting: "4" },
    };
    const places = {
      sandbox: null,
      adminUrl: "postgresql://127.0.0.1/x",
      project: "p",
      directory: "d",
      ports: { desk: 1, decider: 2 },
    };
    const { deciding, desk } = processEnvironments({ settings, secrets: { deciding: {}, acting: {} }, ...places });
    const asserting = createPrivateKey({
      key: Buffer.from(desk["COUNTERSIGN_ASSERTION_KEY"] ?? "", "base64"),
      format: "der",
      type: "pkcs8",
    });
    const open = createPublicKey(asserting).export({ type: "spki", format: "der" }).toString("base64");
    expect(deciding["COUNTERSIGN_ASSERTION_PUBLIC_KEYS"]).toBe(open);
    expect(Object.values(deciding)).not.toContain(desk["COUNTERSIGN_ASSERTION_KEY"]);
    // It can tell that a person let a provider off the privacy boundary, and cannot say so itself.
    expect(deciding["COUNTERSIGN_PRIVACY_PUBLIC_KEYS"]).toBe("verifies-them");
    expect(JSON.stringify([deciding, desk])).not.toContain("signs-exemptions");
    const client = new pg.Client({ connectionString: house.store.urls.deciding });
    await client.connect();
    try {
      const tried = [
        "select * from countersign.api_key",
        "select * from countersign.identify_key('\\x00')",
        "select * from countersign.invitation",
      ];
      for (const sql of tried) await expect(client.query(sql), sql).rejects.toMatchObject({ code: "42501" });
      expect((await client.query("select id from countersign.account")).rows).toEqual([]);
    } finally {
      await client.end();
    }
  });
});
