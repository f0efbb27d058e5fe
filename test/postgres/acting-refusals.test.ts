import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Grant } from "../../src/contract/approval.ts";
import type { Capability } from "../../src/contract/capability.ts";
import { canonicalJson } from "../../src/contract/json.ts";
import type { Proposal } from "../../src/contract/proposal.ts";
import { basisOf } from "../../src/define/authority-basis.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { type Forgery, forgeApproval } from "./acting/forge.ts";
import { House, newKey, people } from "./acting/house.ts";
import { sampleProject } from "./acting/project.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

const { ada } = people;
const otherDigest = "f".repeat(64);
const effectOf = (grant: Grant): Extract<Grant["subject"], { kind: "effect" }> => {
  if (grant.subject.kind !== "effect") throw new Error("the forgery is of an effect");
  return grant.subject;
};

async function approvalState(id: string): Promise<string | undefined> {
  const { rows } = await house.admin.query<{ state: string }>("select state from countersign.approval where id = $1", [id]);
  return rows[0]?.state;
}

/** Puts the forgery in, works, and says what the ledger recorded; asserts that nothing was sent and the approval is closed. */
async function refusalOf(
  name: string,
  forgery: Omit<Forgery, "decisionId">,
  decided: Partial<Parameters<House["decide"]>[0]> = {},
) {
  const decisionId = await house.decide({ changes: [house.add(name)], ...decided });
  const approvalId = await forgeApproval(house, { decisionId, ...forgery });
  await house.worker().runOnce();
  const { rows } = await house.admin.query<{ body: string }>(
    "select body from countersign.entry where kind = 'refused' and body like $1",
    [`%${approvalId}%`],
  );
  expect(await house.tickets(name)).toEqual([]);
  expect(await approvalState(approvalId)).toBe("refused");
  expect(rows).toHaveLength(1);
  const body = JSON.parse(rows[0]?.body ?? "{}") as { code: string; rule: string };
  return `${body.code} ${body.rule}`;
}

describe("a forged approval that would be good but for one thing", () => {
  it("is applied when that one thing is right, so that every refusal below means something", async () => {
    const decisionId = await house.decide({ changes: [house.add("control")] });
    await forgeApproval(house, { decisionId });
    await house.worker().runOnce();
    expect(await house.tickets("control")).toHaveLength(1);
  });

  const foreign = newKey().secret;
  it.each<[string, string, Omit<Forgery, "decisionId">]>([
    ["signed with a foreign key", "approval_invalid key_pinned", { secret: foreign }],
    ["whose signature is over other bytes", "approval_invalid signature", { signs: (body) => body.replace("acme", "acmf") }],
    [
      "by policy, signed by the desk",
      "approval_invalid key_pinned",
      { grant: (g) => ({ ...g, approver: { ...g.approver, kind: "policy" } }) },
    ],
    ["for another tenant", "approval_mismatch tenant", { grant: (g) => ({ ...g, tenant: "globex" }) }],
    ["for another environment", "approval_mismatch environment", { grant: (g) => ({ ...g, environment: "production" }) }],
    [
      "for another proposal",
      "approval_mismatch proposal_digest",
      { grant: (g) => ({ ...g, subject: { ...g.subject, proposalDigest: otherDigest } }) },
    ],
    [
      "for other params",
      "approval_mismatch params_digest",
      { grant: (g) => ({ ...g, subject: { ...g.subject, paramsDigest: otherDigest } }) },
    ],
    [
      "for another state before",
      "approval_mismatch before_digest",
      { grant: (g) => ({ ...g, subject: { ...g.subject, beforeDigest: otherDigest } }) },
    ],
    [
      "for another effect",
      "approval_mismatch effect",
      { grant: (g) => ({ ...g, subject: { ...g.subject, effect: "close_ticket" } }) },
    ],
    [
      "for another version",
      "approval_mismatch effect",
      { grant: (g) => ({ ...g, subject: { ...g.subject, capabilityVersion: "2" } }) },
    ],
    [
      "for an effect that is not there",
      "approval_mismatch columns",
      { grant: (g) => ({ ...g, subject: { ...effectOf(g), effectIndex: 1 } }) },
    ],
    [
      "signed by who asked",
      "approver_not_permitted requester_never_signs",
      { grant: (g) => ({ ...g, approver: { ...g.approver, id: "erin" } }), row: { approver: "erin" } },
    ],
    [
      "signed by no approver",
      "approver_not_permitted approver_signs",
      { grant: (g) => ({ ...g, approver: { ...g.approver, role: "employee" } }) },
    ],
    [
      "signed in the future",
      "approval_invalid granted_at",
      { grant: (g) => ({ ...g, grantedAt: g.grantedAt + 600_000, expiresAt: g.grantedAt + 700_000 }) },
    ],
    ["whose row names another approver", "approval_mismatch columns", { row: { approver: "abe" } }],
    ["whose row names another id", "approval_mismatch id", { row: { id: "01900000-0000-7000-8000-000000000009" } }],
    ["that the ledger never saw granted", "approval_invalid issued", { hasEntry: false }],
    ["that is no grant", "approval_invalid grant_form", { grant: () => ({ approve: true }) }],
  ])("is refused when it is %s", async (what, expected, forgery) => {
    expect(await refusalOf(what, forgery)).toBe(expected);
  });

  it("cannot even be put in as policy's, as consumed, or in another tenant, by the desk's role", async () => {
    const decisionId = await house.decide({ changes: [house.add("by-role")] });
    for (const row of [{ granted_by: "policy" }, { state: "consumed" }, { tenant: "globex" }, { writer: "acting" }]) {
      await expect(forgeApproval(house, { decisionId, row })).rejects.toThrow(/row-level security|permission denied/);
    }
  });
});

describe("a proposal that was altered after its digest was made", () => {
  const withParams = (proposal: Proposal, params: { name: string; note: string }): Proposal => ({
    ...proposal,
    effects: proposal.effects.map((effect) => ({ ...effect, params, paramsDigest: sha256Digest.sha256(canonicalJson(params)) })),
  });
  const resealed = ({ digest: _, ...proposal }: Proposal): Proposal => ({
    ...proposal,
    digest: sha256Digest.sha256(canonicalJson(proposal)),
  });

  it.each<[string, string, (proposal: Proposal) => Proposal]>([
    ["other params under the old digest", "approval_mismatch proposal_digest", (p) => withParams(p, { name: "x", note: "y" })],
    [
      "params that the digest of params does not cover",
      "approval_mismatch params_digest",
      (p) => resealed({ ...p, effects: p.effects.map((e) => ({ ...e, params: { name: "x", note: "y" } })) }),
    ],
    [
      "params that no schema would pass",
      "approval_mismatch params_schema",
      (p) =>
        resealed({
          ...p,
          effects: p.effects.map((e) => ({ ...e, params: { force: true }, paramsDigest: sha256Digest.sha256('{"force":true}') })),
        }),
    ],
    [
      "a business key of its own",
      "approval_mismatch key",
      (p) => resealed({ ...p, effects: p.effects.map((e) => ({ ...e, key: "ticket:other" })) }),
    ],
    [
      "a lower risk than its params have",
      "approval_mismatch risk",
      (p) => resealed({ ...p, effects: p.effects.map((e) => ({ ...e, risk: "medium" as const })) }),
    ],
    [
      "a sentence that is not that of its params",
      "approval_mismatch sentence",
      (p) => resealed({ ...p, effects: p.effects.map((e) => ({ ...e, sentence: "Do nothing at all" })) }),
    ],
    [
      "a smaller side effect",
      "approval_mismatch side_effect",
      (p) => resealed({ ...p, effects: p.effects.map((e) => ({ ...e, sideEffect: "read" as const })) }),
    ],
    [
      "a way back that there is not",
      "approval_mismatch reversible",
      (p) => resealed({ ...p, effects: p.effects.map((e) => ({ ...e, reversible: false })) }),
    ],
    [
      "an easier state after",
      "approval_mismatch expected",
      (p) => resealed({ ...p, effects: p.effects.map((e) => ({ ...e, expected: {} })) }),
    ],
    ["another tenant", "approval_mismatch proposal", (p) => resealed({ ...p, tenant: "globex" })],
    ["another environment", "approval_mismatch environment", (p) => resealed({ ...p, environment: "production" })],
  ])("is refused: %s", async (what, expected, alter) => {
    expect(await refusalOf(what, {}, { alter })).toBe(expected);
  });

  it.each(["sentence", "side_effect", "reversible", "risk", "key", "expected"])(
    "is not even signed at the desk where it tells a false `%s`",
    async (rule) => {
      const lies = {
        sentence: "Do nothing at all",
        sideEffect: "read",
        reversible: false,
        risk: "medium",
        key: "ticket:other",
        expected: {},
      } as const;
      const field = rule === "side_effect" ? "sideEffect" : (rule as keyof typeof lies);
      const alter = (p: Proposal) =>
        resealed({ ...p, effects: p.effects.map((effect) => ({ ...effect, [field]: lies[field] })) });
      const decisionId = await house.decide({ changes: [house.add(`told-${rule}`)], alter });
      await expect(house.desk().approve({ principal: ada, decisionId })).rejects.toMatchObject({
        code: "approval_mismatch",
        facts: { rule },
      });
      expect(await house.story(decisionId)).toEqual(["decided", "refused approval_mismatch"]);
      await house.desk().reject({ principal: ada, decisionId, reason: "it is not what it says" });
      expect((await house.story(decisionId)).at(-1)).toBe("rejected");
    },
  );
});

describe("an approval", () => {
  it("is good once: put in again under another id it is refused", async () => {
    const decisionId = await house.decide({ changes: [house.add("again")] });
    const id = await forgeApproval(house, { decisionId });
    const worker = house.worker();
    await worker.runOnce();
    const { rows } = await house.admin.query<{ body: string; signature: string }>(
      "select body, signature from countersign.approval where id = $1",
      [id],
    );
    const again = await forgeApproval(house, { decisionId, row: { ...rows[0] } });
    await worker.runOnce();
    expect(await approvalState(again)).toBe("refused");
    expect((await house.story(decisionId)).at(-1)).toBe("refused approval_used");
    expect(await house.tickets("again")).toHaveLength(1);
  });

  it("of an effect that has one already is refused, also from an honest key", async () => {
    const decisionId = await house.decide({ changes: [house.add("twice")] });
    await forgeApproval(house, { decisionId });
    await forgeApproval(house, { decisionId });
    await house.worker().runOnce();
    expect(await house.tickets("twice")).toHaveLength(1);
    expect(await house.story(decisionId)).toContain("refused approval_used");
    expect(await house.states(decisionId)).toEqual(["complete"]);
  });

  it("stays what it became, also for the acting role", async () => {
    const { rows } = await house.admin.query<{ id: string }>(
      "select id from countersign.approval where tenant = 'acme' and state = 'consumed' limit 1",
    );
    const revive = house.acting.inTenant("acme", (tx) =>
      tx
        .updateTable("approval")
        .set({ state: "granted" })
        .where("id", "=", rows[0]?.id ?? "")
        .execute(),
    );
    await expect(revive).rejects.toThrow(/answered before/);
  });

  it.each([
    ["rejected", { by: "ada" }, "rejected"],
    ["withdrawn", (approvalId: string) => ({ approvalId, effectIndex: 0, by: "ada" }), "withdrawn"],
    ["edited", { by: "ada", supersededBy: "01900000-0000-7000-8000-000000000001" }, "corrected"],
  ] as const)("of a proposal that was %s is refused", async (what, facts, kind) => {
    const decisionId = await house.decide({ changes: [house.add(what)] });
    const approvalId = await forgeApproval(house, { decisionId });
    const frame = { id: house.ids.next(), tenant: "acme", ts: 1, writer: "desk", decisionId, cause: null } as const;
    const draft = { ...frame, kind, facts: typeof facts === "function" ? facts(approvalId) : facts, bodies: {} };
    await house.deskStore.inTenant("acme", (tx) => writeEntries({ tx, drafts: [draft], keys: house.keys }));
    await house.worker().runOnce();
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({
      kind: "refused",
      body: { code: "approval_used", rule: kind },
    });
    expect(await house.tickets(what)).toEqual([]);
  });

  it("for a proposal of an older version of its capability is refused, at the desk and by the worker", async () => {
    const newer = sampleProject({ capabilityVersion: "2" });
    const decisionId = await house.decide({ changes: [house.add("older")] });
    await expect(house.desk({ project: newer.project }).approve({ principal: ada, decisionId })).rejects.toMatchObject({
      code: "approval_mismatch",
    });
    await house.desk().approve({ principal: ada, decisionId });
    await house.worker({ sample: newer }).runOnce();
    expect((await house.entries(decisionId)).at(-1)?.body).toMatchObject({
      code: "approval_mismatch",
      rule: "capability_version",
    });
  });

  it("for a slice counts only from an owner, once, and sets nothing otherwise", async () => {
    const slice = (role: string, id: string) => (good: Grant) => ({
      ...good,
      subject: {
        ...{ kind: "slice", capability: "tickets", capabilityVersion: "1", slice: "all", thresholdPpm: 0 },
        ...{ basis: basisOf(house.sample.project.capabilities[0] as Capability, sha256Digest), calibration: "weights-1" },
        evidence: null,
      },
      approver: { ...good.approver, id, role },
    });
    const decisionId = await house.decide({ changes: [house.add("slice")] });
    const row = { decision_id: null, effect_index: null };
    const byOda = { ...row, approver: "oda" };
    await forgeApproval(house, { decisionId, grant: slice("approver", "ada"), row });
    // The desk's key names a role that Ada does not have.
    await forgeApproval(house, { decisionId, grant: slice("owner", "ada"), row });
    await forgeApproval(house, { decisionId, grant: slice("owner", "oda"), row: byOda, secret: newKey().secret });
    await house.worker().runOnce();
    const { rows } = await house.admin.query("select * from countersign.slice");
    expect(rows).toEqual([]);
    await forgeApproval(house, { decisionId, grant: slice("owner", "oda"), row: byOda });
    expect(await house.worker().runOnce()).toMatchObject({ slices: 1 });
  });
});
