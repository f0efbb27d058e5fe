import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import type { ChangeTopic } from "../../src/contract/changes.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { listen } from "../../src/server/listen.ts";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// That something changed, over a real stream: who hears what, what is missed, and how it ends.
const events = { mostOfAccount: 3, most: 8, everyMs: 20, beatMs: 50 };
let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse({ events });
});
afterAll(() => house?.close());

/** Waits for what comes within a moment, on a busy machine too. */
const soon = (what: () => unknown) => expect.poll(what, { timeout: 30_000 });

type Name = Parameters<typeof keyOf>[0];
const client = (name: Name, url = house.url) => createClient({ baseUrl: url, apiKey: keyOf(name) });
const propose = async (name: Name, text = "a note") =>
  (await client(name).decide({ capability: "keep_notes", inputs: { text } })).id;

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Listens as somebody and keeps what was heard. */
function hear(name: Name, { after, url = house.url }: { after?: string; url?: string } = {}) {
  const ending = new AbortController();
  open.push(() => ending.abort());
  const heard: ChangeTopic[][] = [];
  const states: string[] = [];
  let last = after ?? null;
  const done = (async () => {
    const options = {
      signal: ending.signal,
      onState: (state: string) => states.push(state),
      ...(after === undefined ? {} : { after }),
    };
    for await (const { topics, id } of client(name, url).events(options)) {
      heard.push([...topics]);
      last = id;
    }
  })();
  done.catch(() => {});
  return {
    states,
    done,
    last: () => last,
    topics: () => new Set(heard.flat()),
    times: () => heard.length,
    begun: () => soon(() => states.at(-1)).toBe("open"),
    end: () => ending.abort(),
  };
}

describe("whoever listens", () => {
  it("hears which lists changed of what they may see, and nothing of others", async () => {
    const [ada, ben, cleo, gus] = [hear("ada"), hear("ben"), hear("cleo"), hear("gus")];
    for (const one of [ada, ben, cleo, gus]) await one.begun();
    const id = await propose("ada");
    await soon(() => ben.topics()).toContain("reviews");
    await soon(() => ada.topics()).toContain("decisions");
    await soon(() => cleo.topics()).toContain("ledger");
    expect(ada.topics()).not.toContain("reviews");
    expect(ada.topics()).not.toContain("ledger");
    await client("ben").approve(id);
    await soon(() => ben.topics()).toContain("operations");
    expect(ada.topics()).not.toContain("operations");
    // Another's decision is told to nobody who may not see it, and another tenant's to nobody here.
    const other = hear("bot2");
    await other.begun();
    // Whoever owns the tenant hears of both, so they say when each was told.
    for (const name of ["ada", "cleo"] as const) {
      const before = cleo.times();
      await propose(name, `one more note of ${name}`);
      await soon(() => cleo.times()).toBeGreaterThan(before);
    }
    await soon(other.last).toBe(cleo.last());
    expect(other.times()).toBe(1);
    expect(gus.topics()).toEqual(new Set());
  });

  it("hears that somebody took up what waits, and that something was stopped", async () => {
    const id = await propose("ada");
    const [bea, ada] = [hear("bea"), hear("ada")];
    await bea.begun();
    await ada.begun();
    await client("ben").take(id);
    await soon(() => bea.topics()).toContain("reviews");
    await client("cleo").halt({ scope: "effect", name: "mail_note", reason: "a try" });
    await soon(() => ada.topics()).toContain("halts");
    await client("cleo").resume({ scope: "effect", name: "mail_note", reason: "a try" });
    // Who has taken it up is no requester's business.
    expect(ada.topics()).not.toContain("decisions");
  });

  it("hears what came between, from the id of what was heard last", async () => {
    const first = hear("ada");
    await first.begun();
    await propose("ada");
    await soon(() => first.topics()).toContain("decisions");
    first.end();
    const after = first.last() ?? "";
    const quiet = hear("ada", { after });
    await quiet.begun();
    await propose("ada", "while somebody else listens");
    await soon(() => quiet.topics()).toContain("decisions");
    quiet.end();
    const late = hear("ada", { after });
    await soon(() => late.topics()).toContain("decisions");
    const fresh = hear("ada");
    await fresh.begun();
    await client("ben").reviews();
    expect(fresh.topics()).toEqual(new Set());
  });

  it("is told that anything may have changed where the id is of long ago, or of another server", async () => {
    const first = hear("ada");
    await first.begun();
    await propose("ada", "long ago");
    await soon(first.last).not.toBeNull();
    first.end();
    const longAgo = first.last() ?? "";
    await house.owner.query("do $$ begin for i in 1..20001 loop perform pg_current_xact_id(); commit; end loop; end $$");
    for (const after of [longAgo, "999999999999"]) {
      const late = hear("ada", { after });
      await soon(() => late.topics()).toEqual(new Set(["decisions", "cases", "halts"]));
      late.end();
    }
  });

  it("is refused with an id that is none", async () => {
    const headers = { authorization: `Bearer ${keyOf("ada")}`, "last-event-id": "x; drop" };
    expect((await fetch(`${house.url}/v1/events`, { headers })).status).toBe(400);
  });
});

describe("a stream", () => {
  const raw = async (headers: Record<string, string>, url = house.url) => {
    const response = await fetch(`${url}/v1/events`, { headers });
    const reader = response.body?.getReader();
    open.push(() => void reader?.cancel().catch(() => {}));
    let text = "";
    const ended = (async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        text += new TextDecoder().decode(part.value);
    })();
    ended.catch(() => {});
    return { response, ended, text: () => text };
  };

  it("says how soon to come again, where it stands, and that it is alive", async () => {
    const { response, text } = await raw({ authorization: `Bearer ${keyOf("ada")}` });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    await soon(text).toMatch(/^retry: 2000\n\n(?:: here\n\n)*id: \d+\n\n(?:: here\n\n)+/);
  });

  it("is for a session too, and ends with it", async () => {
    const browser = new PlainBrowser(house.url);
    await browser.signIn(keyOf("ada"));
    const { ended, text } = await raw({ cookie: browser.cookie });
    await soon(text).toContain(": here");
    await browser.call("/v1/session/end", { body: {} });
    await ended;
    expect((await fetch(`${house.url}/v1/events`, { headers: { cookie: browser.cookie } })).status).toBe(401);
  });

  it("ends for an account that was deactivated, and for a key that was revoked", async () => {
    for (const [change, back] of [
      [
        "update countersign.account set state = 'deactivated' where id = 'audra'",
        "update countersign.account set state = 'active' where id = 'audra'",
      ],
      [
        "update countersign.api_key set revoked_at = clock_timestamp() where account = 'audra'",
        "update countersign.api_key set revoked_at = null where account = 'audra'",
      ],
    ] as const) {
      const { ended, text } = await raw({ authorization: `Bearer ${keyOf("audra")}` });
      await soon(text).toContain("id: ");
      await house.owner.query(change);
      await ended;
      await house.owner.query(back);
    }
  });

  it("is had by one account so often, and by all of them together; whoever leaves makes room", async () => {
    const headers = (name: Name) => ({ authorization: `Bearer ${keyOf(name)}` });
    for (const _ of Array(events.mostOfAccount).keys()) expect((await raw(headers("ada"))).response.status).toBe(200);
    const refused = await fetch(`${house.url}/v1/events`, { headers: headers("ada") });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await refused.json()).toMatchObject({ code: "too_many_requests", facts: { seconds: 30 } });
    for (const _ of Array(3).keys()) expect((await raw(headers("ben"))).response.status).toBe(200);
    for (const name of ["bea", "cleo"] as const) expect((await raw(headers(name))).response.status).toBe(200);
    expect((await fetch(`${house.url}/v1/events`, { headers: headers("audra") })).status).toBe(429);
    for (const close of open.splice(0)) close();
    await soon(async () => (await raw(headers("ada"))).response.status).toBe(200);
  });

  it("is not opened by a look at its head", async () => {
    const headers = { authorization: `Bearer ${keyOf("gus")}` };
    for (const _ of Array(20).keys())
      expect((await fetch(`${house.url}/v1/events`, { method: "HEAD", headers })).status).toBe(200);
  });

  it("of somebody who hung up without a word is let go of", async () => {
    const { hostname, port } = new URL(house.url);
    for (const _ of Array(6).keys()) {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write(`GET /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${keyOf("bea")}\r\n\r\n`);
      const [head] = (await once(socket, "data")) as [Buffer];
      if (String(head).startsWith("HTTP/1.1 200")) socket.destroy();
      else await soon(async () => (await raw({ authorization: `Bearer ${keyOf("bea")}` })).response.status).toBe(200);
    }
    await soon(async () => (await raw({ authorization: `Bearer ${keyOf("bea")}` })).response.status).toBe(200);
  });

  it("does not hold up a desk that stops", async () => {
    const { desk, doors, deciderUrl } = house;
    const app = deskRoutes({ desk, ...doors, deciderUrl, demoPeople: null, log: () => {}, events });
    const other = await listen({ app, host: "127.0.0.1", port: 0 });
    const { ended, text } = await raw({ authorization: `Bearer ${keyOf("gus")}` }, other.url);
    await soon(text).toContain("id: ");
    const begun = performance.now();
    await other.close();
    await ended;
    // Requests that do not end by themselves are cut off after 5 seconds.
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(house.faults).toEqual([]);
  });
});
