import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { erase, erasures } from "../../src/cli/erase.ts";
import { retentionHold, retentionRelease, retentionSet, retentionShow, retentionUnset } from "../../src/cli/retention.ts";
import { requestErasure } from "../../src/ledger/erasure/manage-erasure.ts";
import { printed } from "../setup/printed.ts";
import { House, people } from "./acting/house.ts";

// What the operator does: with the owner's login, the acting login and the payload key of an installation.
vi.setConfig({ testTimeout: 90_000 });
let house: House;
let directory: string;
beforeAll(async () => {
  house = await House.build();
  directory = await mkdtemp(join(tmpdir(), "countersign-erase-"));
  vi.stubEnv("DATABASE_URL", house.store.adminUrl);
  vi.stubEnv("COUNTERSIGN_ACTING_URL", house.store.urls.acting);
  vi.stubEnv("COUNTERSIGN_PAYLOAD_KEY", house.payloadKey.toString("base64"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
  await house?.close();
});

const lines = async (command: Promise<void>): Promise<string> => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await command;
    return log.mock.calls.flat().join("\n");
  } finally {
    log.mockRestore();
  }
};
const place = () => ({ directory, json: true as const });
const asked = { reason: "letter 12", yes: true as const };

it("erases a decision at once, or says what it waits for", async () => {
  const [free, signed] = [await house.decide({ changes: [house.add("a")] }), await house.decide({ changes: [house.add("b")] })];
  await house.desk().approve({ principal: people.ada, decisionId: signed });
  expect(await printed(erase(free, { ...place(), ...asked }))).toMatchObject({ tenant: "acme", erased: 1, waiting: [] });
  expect(await house.story(free)).toEqual(["decided", "erased"]);
  const left = { decisionId: signed, waitsFor: "operation" };
  expect(await printed(erase(signed, { ...place(), ...asked }))).toMatchObject({ erased: 0, waiting: [left] });
  expect(await printed(erasures({ ...place(), tenant: "acme" }))).toMatchObject({ waiting: [left] });
});

it("erases nothing without being told that it is meant, whose, and why", async () => {
  const decisionId = await house.decide({ changes: [house.add("c")] });
  const { yes: _, ...unsure } = asked;
  const refused = [
    erase(decisionId, { ...place(), ...unsure }),
    erase(decisionId, { ...place(), ...asked, reason: " " }),
    erase(undefined, { ...place(), ...asked }),
    erase(decisionId, { ...place(), ...asked, person: "erin" }),
    erase(undefined, { ...place(), ...asked, person: "erin" }),
  ];
  for (const one of refused) await expect(one).rejects.toMatchObject({ code: "bad_request" });
  await expect(erase("none", { ...place(), ...asked })).rejects.toMatchObject({ code: "not_found" });
  await expect(erase(house.ids.next(), { ...place(), ...asked })).rejects.toMatchObject({ code: "not_found" });
  expect(await house.story(decisionId)).toEqual(["decided"]);
});

it("keeps to what is held, and to days", async () => {
  const decisionId = await house.decide({ changes: [house.add("d")] });
  const hold = { ...place(), tenant: "acme", decision: decisionId };
  await printed(retentionHold({ ...hold, reason: "dispute 7" }));
  await printed(retentionSet({ ...place(), tenant: "acme", capability: "*", inputsDays: "14" }));
  expect(await printed(retentionShow({ ...place(), tenant: "acme" }))).toMatchObject({
    rules: [{ capability: "*", inputsDays: 14 }],
    holds: [{ scope: "decision", name: decisionId, reason: "dispute 7" }],
  });
  expect(await printed(erase(decisionId, { ...place(), ...asked }))).toMatchObject({ erased: 0 });
  expect(await lines(retentionRelease({ directory, tenant: "acme", decision: decisionId }))).toContain(
    "at the worker's next round",
  );
  await expect(retentionRelease(hold)).rejects.toMatchObject({ code: "not_found" });
  expect(await printed(erase(decisionId, { ...place(), ...asked }))).toMatchObject({ erased: 1 });
  await expect(retentionSet({ ...place(), tenant: "acme", capability: "*", inputsDays: "0" })).rejects.toMatchObject({
    code: "bad_request",
  });
});

it("carries out what it was asked and nothing else, whatever is due beside it", async () => {
  const [one, other] = [await house.decide({ changes: [house.add("e")] }), await house.decide({ changes: [house.add("f")] })];
  const elsewhere = await house.decide({ changes: [], tenant: "globex" });
  for (const [tenant, decisionId] of [
    ["acme", other],
    ["globex", elsewhere],
  ] as const)
    await requestErasure(house.store.adminUrl, { tenant, of: { decisionId }, reason: "letter 13" });
  expect(await printed(erase(one, { ...place(), ...asked }))).toMatchObject({ erased: 1, waiting: [] });
  expect([await house.story(one), await house.story(other)]).toEqual([["decided", "erased"], ["decided"]]);
  const theirs = { ...place(), ...asked, tenant: "globex", person: people.erin.id };
  expect(await printed(erase(undefined, theirs))).toMatchObject({ tenant: "globex", erased: 1, waiting: [] });
  expect(await house.story(other)).toEqual(["decided"]);
});

it("lists a thousand that wait, and says how many more there are", async () => {
  const { waiting } = (await printed(erasures(place()))) as { waiting: readonly unknown[] };
  await house.admin.query(
    "insert into countersign.erasure (tenant, part, why, decision_id) select 'globex', 'payload', 'request', gen_random_uuid() from generate_series(1, 1003)",
  );
  try {
    const left = (await printed(erasures(place()))) as { waiting: readonly unknown[]; more: number };
    expect([left.waiting.length, left.more]).toEqual([1_000, waiting.length + 3]);
    expect(await lines(erasures({ directory, tenant: "globex" }))).toMatch(/\nand 3 more, which wait behind these$/);
  } finally {
    await house.admin.query("delete from countersign.erasure where tenant = 'globex'");
  }
});

it("changes of a rule what is named, says what is in force, and takes it back", async () => {
  const rule = { tenant: "globex", capability: "claims" };
  await printed(retentionSet({ ...place(), ...rule, inputsDays: "14" }));
  expect(await printed(retentionSet({ ...place(), ...rule, payloadDays: "90" }))).toMatchObject({
    inputsDays: 14,
    payloadDays: 90,
  });
  await printed(retentionSet({ ...place(), tenant: "globex", capability: "*", inputsDays: "7" }));
  expect(await lines(retentionUnset({ directory, ...rule, inputs: true }))).toContain("inputs 7 days, as for all");
  expect(await lines(retentionShow({ directory, tenant: "globex" }))).toContain(
    "globex claims: inputs 7 days, as for all, everything else that is encrypted 90 days",
  );
  await printed(retentionUnset({ ...place(), tenant: "globex", capability: "*" }));
  expect(await lines(retentionUnset({ directory, ...rule }))).toContain("inputs as the capability says");
  expect(await printed(retentionShow({ ...place(), tenant: "globex" }))).toMatchObject({ rules: [] });
  await expect(retentionUnset({ ...place(), ...rule })).rejects.toMatchObject({ code: "not_found" });
});
