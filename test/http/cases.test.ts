import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { listen } from "../../src/server/listen.ts";
import { type CaseHouse, movesOf, openCaseHouse, people } from "../postgres/cases/house.ts";
import { allCases } from "../postgres/cases/steps.ts";
import { openTestDoors, putTestPeople } from "../setup/people.ts";
import { run } from "../start/installation.ts";
import { expectDescribed } from "./described.ts";

const keyOf = (id: string) => `key-of-${id}-000001`;
let house: CaseHouse;
let server: Awaited<ReturnType<typeof listen>>;
const faults: unknown[] = [];
const client = (who: keyof typeof people): Client => createClient({ baseUrl: server.url, apiKey: keyOf(who) });

beforeAll(async () => {
  house = await openCaseHouse(allCases);
  house.openWorker().start();
  await putTestPeople(
    house.store.adminUrl,
    Object.values(people).map(({ tenant, id, roles }) => ({ tenant, id, roles, key: keyOf(id) })),
  );
  const doors = openTestDoors({ desk: house.signing, deciding: house.deciding });
  const log = ({ cause }: { cause: unknown }) => void faults.push(cause);
  const app = deskRoutes({ desk: house.desk, ...doors, deciderUrl: "http://127.0.0.1:9", demoPeople: null, log });
  server = await listen({ app, host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await server?.close();
  await house?.close();
});

const post = (path: string, body: unknown, who: keyof typeof people | null = "cora") =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...(who === null ? {} : { authorization: `Bearer ${keyOf(who)}` }) },
  });

describe("cases over HTTP", () => {
  it("are started once under a key, told what happened, shown and listed", async () => {
    const started = await post("/v1/cases", { case: "parcel", key: "order-7", input: { name: "seven" } });
    expect(started.status).toBe(201);
    const { id } = (await started.json()) as { id: string };
    expect((await post("/v1/cases", { case: "parcel", key: "order-7", input: { name: "seven" } })).status).toBe(200);
    expect((await client("cora").startCase({ case: "parcel", key: "order-7", input: { name: "seven" } })).id).toBe(id);
    const telling = { event: "arrived", body: { shelf: "B4" }, idempotencyKey: "scan-1" };
    await client("wes").tellCase(id, telling);
    await client("wes").tellCase(id, telling);
    await house.until(id, ({ step }) => step === "agree");
    await client("carl").tellCase(id, { event: "agreed" });
    await house.until(id, ({ state }) => state === "ended");
    const view = await client("cora").case(id);
    expect([movesOf(view), view.data]).toEqual([
      ["wait", "wait -event:arrived-> agree", "agree -event:agreed-> closed"],
      { name: "seven", by: ["wes", "carl"] },
    ]);
    expect(await client("wes").case(id)).toMatchObject({ data: null, key: "order-7", outcome: "closed" });
    const { items: listed } = await client("cora").cases({ case: "parcel", limit: 5 });
    expect(listed.map((line) => line.id)).toContain(id);
    for (const [path, at] of [
      ["/v1/cases", "/v1/cases"],
      ["/v1/cases/:id", `/v1/cases/${id}`],
    ] as const) {
      const answer = await fetch(`${server.url}${at}`, { headers: { authorization: `Bearer ${keyOf("cora")}` } });
      expectDescribed({ method: "GET", path }, { status: answer.status, text: await answer.text() });
    }
    expect(Object.keys(listed[0] ?? {})).not.toContain("data");
    expect(await client("gus").cases()).toEqual({ items: [], next: null });
  });

  it.each([
    ["nobody", null, "/v1/cases", { case: "parcel", input: {} }, 401, "unauthenticated"],
    ["whom it is not open to", "wes", "/v1/cases", { case: "parcel", input: { name: "x" } }, 404, "unknown_case"],
    ["an input that does not fit", "cora", "/v1/cases", { case: "parcel", input: {} }, 422, "input_invalid"],
    ["no input", "cora", "/v1/cases", { case: "parcel" }, 400, "bad_request"],
    ["more than that", "cora", "/v1/cases", { case: "parcel", input: { name: "x" }, state: "ended" }, 400, "bad_request"],
    ["a key that is none", "cora", "/v1/cases", { case: "parcel", key: "a/b", input: { name: "x" } }, 400, "bad_request"],
    ["what is no JSON", "cora", "/v1/cases", "{", 400, "bad_json"],
    ["an id that is none", "wes", "/v1/cases/x/events", { event: "arrived" }, 404, "not_found"],
  ] as const)("refuse %s", async (_what, who, path, body, status, code) => {
    const answer = await post(path, body, who);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
    expect(faults).toEqual([]);
  });

  it("refuse what comes too late, and what is no event of theirs", async () => {
    const { id } = await client("cora").startCase({ case: "counting", input: {} });
    await expect(client("wes").tellCase(id, { event: "nothing" })).rejects.toMatchObject({ code: "bad_request" });
    await client("wes").tellCase(id, { event: "stop" });
    await house.until(id, ({ state }) => state === "ended");
    await expect(client("wes").tellCase(id, { event: "stop" })).rejects.toMatchObject({ code: "case_ended" });
  });
});

describe("the command `case`", () => {
  const command = async (who: keyof typeof people, ...args: string[]) =>
    run(["case", ...args, "--url", server.url, "--key", keyOf(who)]);

  it("starts a case, tells it what happened, and says how it came where it is", { timeout: 90_000 }, async () => {
    const started = await command("cora", "start", "parcel", '{"name":"by hand"}', "--id", "hand-1", "--json");
    expect(started.stderr).toBe("");
    const { id } = JSON.parse(started.stdout) as { id: string };
    await house.until(id, ({ waitsFor }) => waitsFor?.kind === "event");
    const told = await command("wes", "event", id, "arrived", '{"shelf":"B4"}', "--once", "scan-9");
    expect([told.code, told.stderr]).toEqual([0, ""]);
    await house.until(id, ({ step }) => step === "agree");
    const { stdout } = await command("cora", "show", id);
    expect(stdout).toMatch(/^\S+ \(hand-1\) {2}parcel 1, by cora: running at agree, waits for agreed, due \S+$/m);
    expect(stdout).toMatch(/^ {2}2\. \S+ agree from wait \(event:arrived\)$/m);
    expect(stdout).toContain('data: {"by":["wes"],"name":"by hand"}');
    expect((await command("cora", "list", "--case", "parcel")).stdout).toContain(id);
    const refused = await command("carl", "event", id, "arrived", "{}");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^forbidden: /)]);
    expect((await command("cora", "event", id, "arrived", "{")).stderr).toMatch(/^bad_json: /);
  });
});
