import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson, type JsonObject } from "../../src/contract/json.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "../http/desk-house.ts";
import { newFolder, run } from "../start/installation.ts";
import { runJson } from "./command.ts";

// What is said, proposed and signed of slices on the command line, against a real desk over a ledger with evidence.
let house: DeskHouse;
let directory: string;
const slow = { timeout: 120_000 };
const as = (name: Parameters<typeof keyOf>[0]) => ["--url", house.url, "--key", keyOf(name), "--directory", directory];

beforeAll(async () => {
  house = await openDeskHouse();
  directory = await newFolder();
  await mkdir(directory);
}, 120_000);
afterAll(async () => {
  await house?.close();
  await rm(`${directory}/..`, { recursive: true, force: true });
});

/** One real decision, and its entry so many times again, each signed by a person and seen complete. */
async function agreeWith(times: number): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${keyOf("ada")}` };
  const body = JSON.stringify({ capability: "keep_notes", inputs: { text: "a note" } });
  const asked = await fetch(`${house.url}/v1/decisions`, { method: "POST", headers, body });
  expect(asked.status).toBe(201);
  const { rows } = await house.owner.query<{ body: string }>("select body from countersign.entry where kind = 'decided'");
  const decided = JSON.parse(rows[0]?.body ?? "{}") as JsonObject;
  const entries = Array.from({ length: times }, () => {
    const decisionId = likeId(String(decided["decisionId"]));
    const following = { tenant: decided["tenant"] ?? "", ts: decided["ts"] ?? 0, decisionId, cause: null, v: decided["v"] ?? 1 };
    return [
      { ...decided, id: likeId(decisionId), decisionId },
      { ...following, id: likeId(decisionId), kind: "approved", writer: "desk", approverKind: "person", effectIndex: 0 },
      { ...following, id: likeId(decisionId), kind: "observed", writer: "acting", verdict: "complete", effectIndex: 0 },
    ] as readonly JsonObject[];
  }).flat();
  for (const entry of entries) {
    const text = canonicalJson(entry);
    const hash = createHash("sha256").update(text).digest();
    const { tenant, id, kind, decisionId, capability = null, route = null, effects = 0, ts, writer } = entry;
    await house.owner.query(
      "insert into countersign.entry (tenant, id, kind, decision_id, capability, route, effects, ts, writer, body, hash) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
      [tenant, id, kind, decisionId, capability, route, effects, ts, writer, text, hash],
    );
  }
}

/** Another id of the same instant. */
function likeId(id: string): string {
  return `${id.slice(0, 14)}7${randomUUID().slice(15)}`;
}

test("says that there is nothing, and refuses what is no proposal and whoever may not", slow, async () => {
  expect((await run(["autonomy", "status", ...as("cleo")])).stdout).toBe("no slice has any decision yet\n");
  const sign = ["autonomy", "sign", "keep_notes", "default"];
  for (const [args, code] of [
    [["autonomy", "status", ...as("ada")], "forbidden"],
    [[...sign, "yes", ...as("cleo")], "bad_request"],
    [[...sign, `900000.1.${"0".repeat(64)}`, ...as("cleo")], "evidence_changed"],
    [["autonomy", "simulate", "keep_notes", "default", "--at", "93", ...as("cleo")], "bad_request"],
    [["autonomy", "simulate", "nothing", "default", "--at", "0.9", ...as("cleo")], "unknown_capability"],
    [["autonomy", "fit", "keep_notes", "--out", `${directory}/fitted.json`, ...as("cleo")], "not_enough_evidence"],
    [["autonomy", "close", "keep_notes", "default", ...as("ben")], "forbidden"],
  ] as const)
    expect((await runJson(args)).json.error?.code, args.join(" ")).toBe(code);
});

test("proposes what people agreed with, names it for signing, and signs it", slow, async () => {
  await agreeWith(260);
  // Of the last two seconds nothing counts yet.
  const proposals = async () => {
    const { json } = await runJson(["autonomy", "propose", ...as("cleo")]);
    return json["proposals"] as readonly { readonly proposal: { readonly thresholdPpm: number } }[];
  };
  await expect.poll(async () => (await proposals()).length, { timeout: 60_000, interval: 500 }).toBe(1);
  const [found] = await proposals();
  expect(found).toMatchObject({
    capability: "keep_notes",
    decisions: 260,
    agreed: 260,
    proposal: { wouldBeAuto: 260, agreed: 260 },
  });
  const said = (await run(["autonomy", "propose", ...as("cleo")])).stdout;
  const named = /countersign autonomy sign (\S+) (\S+) ([0-9]+[.][0-9]+[.][0-9a-f]{64})/.exec(said);
  const [, capability = "", slice = "", proposal = ""] = named ?? [];
  const signed = await runJson(["autonomy", "sign", capability, slice, proposal, ...as("cleo")]);
  expect(signed).toMatchObject({ code: 0, json: { capability, slice, thresholdPpm: found?.proposal.thresholdPpm } });
  const { rows } = await house.owner.query<{ body: string }>("select body from countersign.approval where decision_id is null");
  expect(JSON.parse(rows[0]?.body ?? "{}")).toMatchObject({ subject: { kind: "slice", evidence: { wouldBeAuto: 260 } } });
  const at = ["--at", "0.5", ...as("cleo")];
  expect((await run(["autonomy", "simulate", capability, slice, ...at])).stdout).toMatch(
    /^260 of 260 judged decisions would have gone alone at 0[.]50; people agreed with 260\nthat is at least 98[.]5 %, which reaches the bar of 98[.]0 %\n$/,
  );
});

test("keeps a calibration in a file, whole", slow, async () => {
  const file = `${directory}/fitted.json`;
  const { stdout } = await run(["autonomy", "fit", "keep_notes", "--out", file, ...as("cleo")]);
  const kept = JSON.parse(await readFile(file, "utf8"));
  expect(kept).toMatchObject({ version: 1, capability: "keep_notes", id: expect.stringMatching(/^cal-[0-9a-f]{12}$/) });
  expect(stdout).toContain(`${kept.id} in ${file}`);
});
