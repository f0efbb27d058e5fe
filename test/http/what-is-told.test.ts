import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sentences } from "../../examples/it-support/sentences.ts";
import { newFolder, patience, remove, run, type Started, started } from "../start/installation.ts";
import { PlainBrowser } from "./desk-browser.ts";

// The demo as anybody starts it: what a guard held back, and what did not pass the checks, is told to nobody who asked for it.
let directory: string;
let running: Started;
let people: { id: string; key: string }[];
beforeAll(async () => {
  directory = await newFolder();
  running = await started(directory);
  ({ people } = JSON.parse(await readFile(join(directory, "secrets/settings.json"), "utf8")));
}, 180_000);
afterAll(() => remove(directory), 60_000);

const asker = "emp-104";
const approver = "emp-201";
const owner = "emp-301";
const keyOf = (id: string) => people.find((one) => one.id === id)?.key ?? "";

async function call(id: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${keyOf(id)}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${running.url}${path}`, init);
  return { status: response.status, text: await response.text() };
}

/** Asks as the demo's employee; gives the last decision and everything that the person is told of it, by where. */
async function told(text: string) {
  const asked = await call(asker, "/v1/ask", { text });
  const { decision } = JSON.parse(asked.text);
  const browser = new PlainBrowser(running.url);
  await browser.signIn(keyOf(asker));
  const paths = [`/v1/decisions/${decision.id}`, `/v1/decisions/${decision.id}/explanation`, "/v1/decisions?of=mine"];
  const told = {
    ask: asked.text,
    view: (await call(asker, `/v1/decisions/${decision.id}`)).text,
    story: (await call(asker, `/v1/decisions/${decision.id}/story`)).text,
    mine: (await call(asker, "/v1/decisions")).text,
    ...Object.fromEntries(await Promise.all(paths.map(async (path) => [`${path} by session`, (await browser.call(path)).text]))),
    explain: (await run(["explain", decision.id, "--as", asker, "--json", "--directory", directory])).stdout,
    "explain in words": (await run(["explain", decision.id, "--as", asker, "--directory", directory])).stdout,
  };
  for (const [where, words] of Object.entries(told)) expect(words, where).toContain(decision.id);
  const evidence = (await call(asker, `/v1/reviews/${decision.id}/evidence`)).text;
  return { decision, told: { ...told, evidence } };
}

const audited = async (id: string) => (await call(owner, `/v1/decisions/${id}/story`)).text;

describe("who asks", () => {
  test.each([
    ["blocked by a guard", sentences.leaksColleague, "blocked_by_guard", /LT-2051/],
    ["refused since it did not fit", sentences.prose, "non_conforming_output", /ordered a new mouse|unexpected token/i],
  ])("never reads a reply that was %s, and who audits does", patience, async (_what, text, reason, reply) => {
    const { decision, told: all } = await told(text);
    expect(decision).toMatchObject({ state: "stopped", stop: { reason } });
    for (const [where, words] of Object.entries(all)) expect(words, where).not.toMatch(reply);
    expect(await audited(decision.id)).toMatch(reply);
  });

  test("never reads an answer whose check did not pass, and who audits does", patience, async () => {
    const { decision, told: all } = await told(sentences.wrongNumber);
    expect(decision).toMatchObject({ state: "rejected_by_checks", claims: [], refusal: null, summary: null });
    for (const [where, words] of Object.entries(all)) expect(words, where).not.toMatch(/48 hours/);
    expect(all.story).toContain("numbers_in_source");
    expect(await audited(decision.id)).toContain("48 hours");
  });

  test("reads an answer that passed, which is nobody else's business but the auditor's", patience, async () => {
    const { decision, told: all } = await told(sentences.answerLaptopAge);
    expect(decision).toMatchObject({ state: "answered" });
    for (const words of [all.view, all.mine, all.explain]) expect(words).toContain("36 months");
    for (const path of [
      `/v1/decisions/${decision.id}`,
      `/v1/decisions/${decision.id}/story`,
      `/v1/decisions/${decision.follows}`,
    ])
      expect((await call(approver, path)).status, path).toBe(404);
    // Without a name `explain` speaks as somebody who may see everything.
    expect((await run(["explain", decision.id, "--directory", directory])).stdout).toContain("36 months");
  });
});
