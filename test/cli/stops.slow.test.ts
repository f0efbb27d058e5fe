import { mkdir, readFile, rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DeskHouse, keyOf, openDeskHouse } from "../http/desk-house.ts";
import { newFolder, run } from "../start/installation.ts";
import { runJson } from "./command.ts";

// The commands of an emergency and of what it leaves behind, against a real desk.
let house: DeskHouse;
let directory: string;
beforeAll(async () => {
  house = await openDeskHouse();
  directory = await newFolder();
  await mkdir(directory);
});
afterAll(async () => {
  await house?.close();
  await rm(`${directory}/..`, { recursive: true, force: true });
});

const slow = { timeout: 60_000 };
const as = (name: Parameters<typeof keyOf>[0]) => ["--url", house.url, "--key", keyOf(name), "--directory", directory];
const halt = { scope: "effect", name: "mail_note", by: "cleo", reason: "doubles" };

test("stops, lists and resumes, and says so when nothing is stopped", slow, async () => {
  const why = ["--reason", "doubles"];
  expect(await runJson(["halt", "effect", "mail_note", ...why, ...as("cleo")])).toMatchObject({
    code: 0,
    json: { halts: [halt] },
  });
  const listed = await run(["halts", ...as("ben")]);
  expect(listed.stdout).toMatch(/^stopped: effect mail_note, by cleo since \d{4}-[-0-9T:.]+Z: doubles\n$/);
  expect(await runJson(["halt", "tenant", ...why, ...as("cleo")])).toMatchObject({ json: { halts: [{ name: "*" }, halt] } });
  expect((await run(["resume", "tenant", ...why, ...as("cleo")])).stdout).toContain("stopped: effect mail_note");
  expect((await run(["resume", "effect", "mail_note", ...why, ...as("cleo")])).stdout).toBe("nothing is stopped\n");
  const again = await runJson(["resume", "effect", "mail_note", ...why, ...as("cleo")]);
  expect(again).toMatchObject({ code: 2, json: { error: { code: "not_stopped" } } });
});

test("refuses what is no stop, and whoever may not", slow, async () => {
  for (const [args, code] of [
    [["halt", "world", "--reason", "x", ...as("cleo")], "bad_request"],
    [["halt", "effect", "mail_note", ...as("cleo")], "bad_request"],
    [["halt", "effect", "fly", "--reason", "x", ...as("cleo")], "effect_unknown"],
    [["halt", "effect", "mail_note", "--reason", "x", ...as("ben")], "forbidden"],
    [["halts", ...as("ada")], "forbidden"],
  ] as const)
    expect((await runJson(args)).json.error?.code, args.join(" ")).toBe(code);
});

const headers = { "content-type": "application/json" };
async function post(path: string, name: "ada" | "ben", body: object) {
  const init = { method: "POST", headers: { ...headers, authorization: `Bearer ${keyOf(name)}` }, body: JSON.stringify(body) };
  return JSON.parse(await (await fetch(`${house.url}${path}`, init)).text());
}

/** A signed decision of two effects, of which one was left to people. */
async function left(effectIndex: number, effect: string): Promise<string> {
  const { id } = (await post("/v1/ask", "ada", { text: `a note to mail, ${effect}` })).decision;
  await post(`/v1/reviews/${id}/approve`, "ben", {});
  await house.acting.begin(id, { effectIndex, effect });
  return id;
}

test("does what docs/stops.md says", slow, async () => {
  const page = await readFile(new URL("../../docs/stops.md", import.meta.url), "utf8");
  const lines = [...page.matchAll(/^countersign (.+)$/gm)].map((match) => match[1] ?? "");
  expect(lines).toHaveLength(6);
  const id = await left(0, "keep_note");
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]+)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
    const args = words.map((word) => word.replace("issue_refund", "mail_note").replace("<decision>", id));
    const { code, stderr } = await run([...args, ...as(args[0] === "resolve" ? "ben" : "cleo")]);
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: "" });
  }
});

test("says what became of an effect, by its number in the list", slow, async () => {
  const id = await left(1, "mail_note");
  const found = (effect: string, outcome: string) => [
    ...["resolve", id, "--effect", effect, "--outcome", outcome],
    ...["--reason", "none at the printer", "--evidence", "its tray, 14:02", ...as("ben")],
  ];
  expect((await runJson(found("0", "happened"))).json.error?.code).toBe("bad_request");
  expect((await runJson(found("1", "happened"))).json.error?.code).toBe("not_waiting");
  expect((await runJson(found("2", "maybe"))).json.error?.code).toBe("bad_request");
  expect((await runJson(found("2", "compensate"))).json.error?.code).toBe("precondition_failed");
  const { code, stdout } = await run(found("2", "not_happened"));
  expect(code).toBe(0);
  expect(stdout).toContain(
    "2. Mail the note to the printer: escalated (signed by ben); ben said: not_happened, not carried out yet",
  );
  const told = await run(["explain", id, ...as("cleo")]);
  expect(told.stdout).toMatch(/ben said of effect 2 “[^”]+”: not_happened/);
});
