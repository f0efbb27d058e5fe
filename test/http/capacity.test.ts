import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { type Listening, listen } from "../../src/server/listen.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// What a process does that has as much in work as it takes: the desk before a decider that does not answer, and the decider itself.
const most = 3;
/** Waits for what comes within a moment, on a busy machine too. */
const soon = (what: () => unknown) => expect.poll(what, { timeout: 30_000 });
let house: DeskHouse;
const held: ServerResponse[] = [];
const slow = createServer((_request, response) => void held.push(response));
const closing: (() => Promise<unknown>)[] = [];
let desk: Listening;

beforeAll(async () => {
  house = await openDeskHouse();
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  const { port } = slow.address() as AddressInfo; // it listens on a port
  desk = await openDesk(`http://127.0.0.1:${port}`);
});
afterEach(() => letGo());
afterAll(async () => {
  letGo();
  for (const close of closing) await close();
  slow.close();
  await house?.close();
});

async function openDesk(deciderUrl: string): Promise<Listening> {
  const app = deskRoutes({ desk: house.desk, ...house.doors, deciderUrl, demoPeople: null, log: () => {}, mostAtOnce: most });
  const listening = await listen({ app, host: "127.0.0.1", port: 0 });
  closing.push(listening.close);
  return listening;
}

function letGo(): void {
  for (const response of held.splice(0)) response.writeHead(200, { "content-type": "application/json" }).end("{}");
}

const headers = () => ({ authorization: `Bearer ${keyOf("ada")}`, "content-type": "application/json" });
const ask = (url: string) =>
  fetch(`${url}/v1/ask`, { method: "POST", headers: headers(), body: JSON.stringify({ text: "a note" }) });
const read = (url: string) => fetch(`${url}/v1/decisions`, { headers: headers() });

describe("a process that has as much in work as it takes", () => {
  it("refuses one more, says how soon to come again, and takes it once there is room", async () => {
    const inWork = Array.from({ length: most }, () => ask(desk.url));
    await soon(() => held.length).toBe(most);
    const refused = await read(desk.url);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ code: "too_busy", facts: { seconds: 1 } });
    // That it lives is said all the same.
    expect((await fetch(`${desk.url}/healthz`)).status).toBe(200);
    letGo();
    await Promise.all(inWork);
    expect((await read(desk.url)).status).toBe(200);
  });

  it("counts what failed as done", async () => {
    for (const _ of Array(most * 3).keys())
      expect((await fetch(`${desk.url}/v1/ask`, { method: "POST", headers: headers(), body: "{" })).status).toBe(400);
    expect((await read(desk.url)).status).toBe(200);
  });

  it("does not count whoever listens", async () => {
    const streams: Response[] = [];
    for (const _ of Array(most + 1).keys()) streams.push(await fetch(`${desk.url}/v1/events`, { headers: headers() }));
    expect(streams.map(({ status }) => status)).toEqual(Array(most + 1).fill(200));
    expect((await read(desk.url)).status).toBe(200);
    await Promise.all(streams.map(({ body }) => body?.cancel()));
  });

  it("is told by the desk as the decider said it, with how soon to come again, and nothing was begun", async () => {
    const before = await openDesk(await house.openBusyDecider(0));
    const answer = await ask(before.url);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ code: "too_busy" });
    expect((await house.owner.query("select from countersign.intent")).rowCount).toBe(0);
  });
});
