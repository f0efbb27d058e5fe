import { mkdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keys, openService, type Service } from "../http/decider-house.ts";
import { newFolder, run } from "../start/installation.ts";
import { runJson } from "./command.ts";

// The commands that speak to a desk, against a real one: what they print, and what they refuse.
let service: Service;
let directory: string;
beforeAll(async () => {
  service = await openService();
  directory = await newFolder();
  await mkdir(directory);
});
afterAll(async () => {
  await service?.close();
  await rm(`${directory}/..`, { recursive: true, force: true });
});

const slow = { timeout: 60_000 };
const as = (key: string) => ["--url", service.deskUrl, "--key", key, "--directory", directory];
const decide = (inputs: string, ...more: string[]) => ["decide", "note", inputs, "--wait", "0", ...as(keys.ada), ...more];

describe("requests", () => {
  test("a decision goes its way from the command line: decided, listed, explained, signed", slow, async () => {
    const made = await runJson(decide('{"text":"buy milk"}'));
    expect(made).toMatchObject({ code: 0, json: { state: "waiting", capability: "note" } });
    const id = String(made.json["id"]);
    expect((await runJson(["review", ...as(keys.eve)])).json).toMatchObject({ reviews: [{ id }] });
    const { stdout } = await run(["review", ...as(keys.eve)]);
    expect(stdout).toContain(id);
    expect(await runJson(["explain", id, ...as(keys.ada)])).toMatchObject({
      code: 0,
      json: { decision: { id }, entries: [{ kind: "decided" }] },
    });
    expect(await runJson(["review", id, "--approve", ...as(keys.eve)])).toMatchObject({ code: 0, json: { id, state: "signed" } });
    expect(await runJson(["review", id, "--reject", "too late", ...as(keys.eve)])).toMatchObject({
      code: expect.any(Number),
      json: { error: { code: expect.stringMatching(/not_waiting|approval_used/) } },
    });
    expect(await run(["review", ...as(keys.eve)])).toMatchObject({ code: 0, stdout: "nothing waits for you\n" });
    // Nobody applies anything here, so the signature can be withdrawn.
    expect(await runJson(["review", id, "--withdraw", ...as(keys.eve)])).toMatchObject({
      code: 0,
      json: { id, state: "waiting" },
    });
    expect(await runJson(["review", id, "--take", ...as(keys.eve)])).toMatchObject({ code: 0, json: { taken: { by: "eve" } } });
    expect((await run(["review", ...as(keys.eve)])).stdout).toMatch(/taken up by eve until \d{4}-/);
    expect(await runJson(["review", id, "--release", ...as(keys.eve)])).toMatchObject({ code: 0, json: { taken: null } });
    expect((await run(["review", id, "--take", "--approve", ...as(keys.eve)])).code).toBe(2);
    expect(await runJson(["review", id, "--reject", "no", ...as(keys.eve)])).toMatchObject({ code: 0 });
  });

  test("an ask that fits nothing is asked back, with exit code 0", slow, async () => {
    expect(await runJson(["ask", "sing a song", "--wait", "0", ...as(keys.ada)])).toMatchObject({
      code: 0,
      json: { kind: "asked_back", question: expect.any(String) },
    });
  });

  test.each<[string, () => string[], string]>([
    ["inputs that are not JSON", () => decide("text=x"), "bad_json"],
    ["inputs that are empty", () => decide(""), "bad_json"],
    ["an escaped NUL", () => decide('{"text":"a\\u0000"}'), "bad_text"],
    ["a lone surrogate", () => decide('{"text":"\\ud800"}'), "bad_text"],
    ["inputs 200 levels deep", () => decide(`{"text":"x","extra":${"[".repeat(200)}${"]".repeat(200)}}`), "bad_json"],
    ["a key `__proto__`", () => decide('{"text":"x","__proto__":{}}'), "bad_json"],
    ["an unknown capability", () => ["decide", "launch", "{}", ...as(keys.ada)], "unknown_capability"],
    ["a capability of 64 characters", () => ["decide", "n".repeat(64), "{}", ...as(keys.ada)], "bad_request"],
    ["a time to wait that is none", () => decide("{}", "--wait", "soon"), "bad_request"],
    ["a time to wait below zero", () => decide("{}", "--wait=-1"), "bad_request"],
    [
      "an empty key",
      () => ["decide", "note", "{}", "--url", service.deskUrl, "--key", "", "--directory", directory],
      "configuration_invalid",
    ],
    ["a key that nobody has", () => ["decide", "note", "{}", ...as("key-of-nobody-at-all")], "unauthenticated"],
    ["no key", () => ["ask", "x", "--url", service.deskUrl, "--directory", directory], "unauthenticated"],
    [
      "an address that is none",
      () => ["ask", "x", "--url", "nowhere", "--key", "k", "--directory", directory],
      "configuration_invalid",
    ],
    ["a question of 20,001 characters", () => ["ask", "x".repeat(20_001), ...as(keys.ada)], "bad_request"],
    ["the id of nothing", () => ["explain", "01a00000-0000-7000-8000-000000000000", ...as(keys.ada)], "not_found"],
    ["an id with slashes", () => ["explain", "../reviews", ...as(keys.ada)], "not_found"],
    ["an id of 10,000 characters", () => ["review", "a".repeat(10_000), "--approve", ...as(keys.eve)], "not_found"],
    ["an id with an emoji and quotes", () => ["review", "\u{1F642}'\"", "--reject", "no", ...as(keys.eve)], "not_found"],
  ])("refuses %s with exit code 2 and one object, and writes nothing", slow, async (_what, args, code) => {
    const before = await service.rows();
    expect(await runJson(args())).toMatchObject({
      code: 2,
      json: { error: { code, message: expect.any(String), next: expect.any(String) } },
    });
    expect(await service.rows()).toEqual(before);
  });

  test("refuses people in one sentence with the next step, on stderr alone", slow, async () => {
    for (const [args, code] of [
      [decide("text=x"), "bad_json"],
      [["explain", "../reviews", ...as(keys.ada)], "not_found"],
      [["ask", "x", ...as("key-of-nobody-at-all")], "unauthenticated"],
    ] as const) {
      const { stdout, stderr, code: exit } = await run(args);
      expect({ stdout, exit }).toEqual({ stdout: "", exit: 2 });
      expect(stderr).toMatch(new RegExp(`^${code}: [^\\n]+\\nsee docs/errors\\.md, section ${code}\\n$`));
    }
  });

  test("records inputs that do not fit, and gives the ids of the refusal", slow, async () => {
    const refused = await runJson(decide('{"text":7}'));
    expect(refused).toMatchObject({
      code: 2,
      json: { error: { code: "input_invalid", facts: { decisionId: expect.any(String), entryId: expect.any(String) } } },
    });
  });

  test("refuses where nobody answers, and where somebody else does, with exit code 1", slow, async () => {
    expect(await runJson(["ask", "x", "--directory", directory])).toMatchObject({
      code: 1,
      json: { error: { code: "service_unavailable", message: expect.stringContaining("countersign start") } },
    });
    const stranger = createServer((_, response) => response.end("<h1>hello</h1>"));
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const address = stranger.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    expect(await runJson(["ask", "x", "--url", url, "--key", "k"])).toMatchObject({
      code: 1,
      json: { error: { code: "service_unavailable" } },
    });
    await new Promise((resolve) => stranger.close(resolve));
    expect(await runJson(["ask", "x", "--url", url, "--key", "k"])).toMatchObject({
      code: 1,
      json: { error: { code: "service_unavailable" } },
    });
  });
});

test("after all that the ledger verifies, nothing is half done and no fault was met", async () => {
  for (const report of await service.verify()) expect(report).toMatchObject({ broken: null, unsealed: { count: 0 } });
  expect(await service.openIntents()).toBe(0);
  expect(service.faults).toEqual([]);
});
