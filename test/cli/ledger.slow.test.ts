import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../benchmarks/ledger/sample.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { decide, type LedgerFixture, one, openLedger } from "../postgres/ledger-fixture.ts";
import { run } from "../start/installation.ts";
import { runJson } from "./command.ts";

// The commands as an operator gives them, and the stand-alone verifier over what they wrote.
const verifier = fileURLToPath(new URL("../../verifiers/verify.mjs", import.meta.url));
const slow = { timeout: 300_000 };
let ledger: LedgerFixture;
let directory: string;
let env: Readonly<Record<string, string>>;
let decisionId: string;

beforeAll(async () => {
  ledger = await openLedger();
  directory = await mkdtemp(join(tmpdir(), "countersign-ledger-"));
  const key = newKey().privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
  env = {
    ...{ COUNTERSIGN_ACTING_URL: ledger.database.urls.acting, COUNTERSIGN_LEDGER_KEY: key },
    ...{ COUNTERSIGN_LEDGER_NAME: "ledger.example.com", COUNTERSIGN_HEADS: join(directory, "heads") },
    COUNTERSIGN_PAYLOAD_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
}, 120_000);
afterAll(async () => {
  await ledger.close();
  await rm(directory, { recursive: true, force: true });
});

async function decideAndSeal(count: number): Promise<void> {
  const before = Number(await one(ledger.owner, "select count(*) from countersign.seal"));
  for (let i = 0; i < count; i += 1) decisionId = (await decide(ledger.journal)).decisionId;
  const headKeeper = createHeadKeeper({ directory: join(directory, "heads"), onError: () => {} });
  const seal = async () => {
    await sealTenant({ database: ledger.acting, tenant: "acme", headKeeper });
    await headKeeper.stop();
    return Number(await one(ledger.owner, "select count(*) from countersign.seal"));
  };
  await expect.poll(seal, { timeout: 60_000 }).toBe(before + count);
}

const command = (...args: readonly string[]) => run(["ledger", ...args, "--directory", directory], { env });
const place = (name: string) => join(directory, name);
const verifyAlone = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile(process.execPath, [verifier, ...args], (error, stdout) => resolve({ code: Number(error?.code ?? 0), stdout }));
  });

describe("countersign ledger", () => {
  test("signs, proves and exports what whoever holds the key can check alone", slow, async () => {
    const tenant = ["--tenant", "acme"];
    await decideAndSeal(5);
    const first = await runJson(["ledger", "checkpoint", ...tenant, "--directory", directory], { env });
    const key = String(first.json["key"]);
    expect(first.json).toMatchObject({ tenant: "acme", size: 5 });
    expect(key).toMatch(/^ledger\.example\.com\/acme\+[0-9a-f]{8}\+/);
    await writeFile(place("first.checkpoint"), String(first.json["checkpoint"]));
    await decideAndSeal(2);
    const second = await runJson(["ledger", "checkpoint", ...tenant, "--directory", directory], { env });
    await writeFile(place("second.checkpoint"), String(second.json["checkpoint"]));
    const proof = await command("prove", decisionId, ...tenant);
    expect(proof).toMatchObject({ code: 0, stderr: "" });
    await writeFile(place("proof.json"), proof.stdout);
    const between = await command("consistency", place("first.checkpoint"), place("second.checkpoint"), ...tenant);
    expect(between).toMatchObject({ code: 0, stderr: "" });
    await writeFile(place("consistency.json"), between.stdout);
    expect(await command("export", ...tenant, "--out", place("acme.jsonl"))).toMatchObject({ code: 0, stderr: "" });
    expect(await command("export", ...tenant, "--out", place("acme.jsonl"))).toMatchObject({ code: 2 });

    const asked = ["--key", key, "--checkpoint", place("first.checkpoint"), "--proof", place("proof.json")];
    const alone = await verifyAlone(place("acme.jsonl"), ...asked, "--proof", place("consistency.json"));
    expect(alone.code).toBe(0);
    expect(alone.stdout.split("\n")).toEqual([
      "acme: verified to 7; covered by a checkpoint to 7, 0 after it",
      expect.stringMatching(/^acme: entry 7 \(.{36}\) stands in the tree of 7$/),
      "ledger.example.com/acme: the tree of 7 continues the tree of 5",
      "",
    ]);
    const offline = await command("verify", "--export", place("acme.jsonl"), ...asked, place("consistency.json"));
    expect(offline).toMatchObject({ code: 0, stdout: alone.stdout });
    const here = await command("verify", "--tenant", "acme");
    expect(here).toMatchObject({ code: 0, stdout: expect.stringContaining("acme: verified to 7, and as 2 checkpoints said") });
  });

  test("names the first bad entry of an export, as the stand-alone verifier does, with exit code 1", slow, async () => {
    const bytes = (await readFile(place("acme.jsonl"), "utf8")).split("\n");
    const changed = bytes.map((line) => (line.includes('"seq":3,') ? line.replace("replace-device", "replace-devise") : line));
    await writeFile(place("changed.jsonl"), changed.join("\n"));
    const { json } = await runJson(["ledger", "checkpoint", "--tenant", "acme", "--directory", directory], { env });
    const key = String(json["key"]);
    const ours = await command("verify", "--export", place("changed.jsonl"), "--key", key);
    expect(ours).toMatchObject({ code: 1, stdout: expect.stringContaining("acme: BROKEN at entry 3 (") });
    expect(await verifyAlone(place("changed.jsonl"), "--key", key)).toEqual({ code: 1, stdout: ours.stdout });
  });

  test("refuses what it cannot do with a code and the next step", slow, async () => {
    const missing = await runJson(["ledger", "checkpoint", "--tenant", "nobody", "--directory", directory], { env });
    expect(missing).toMatchObject({ code: 2, json: { error: { code: "not_found" } } });
    expect(await command("prove", "no-id", "--tenant", "acme")).toMatchObject({ code: 2 });
    const { COUNTERSIGN_LEDGER_KEY: _, ...without } = env;
    const keyless = await runJson(["ledger", "checkpoint", "--directory", place("nowhere")], { env: without });
    expect(keyless).toMatchObject({ code: 2, json: { error: { code: "configuration_invalid" } } });
  });
});
