import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fieldOf, PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
let browser: PlainBrowser;
beforeAll(async () => {
  house = await openDeskHouse();
});
afterAll(() => house.close());
beforeEach(() => {
  browser = new PlainBrowser(house.url);
});

describe("signing in", () => {
  it("comes before every page, and leads back to where one wanted to go", async () => {
    for (const path of ["/", "/ask", "/review", "/review/any", "/decisions/any", "/ledger?seq=7"]) {
      const page = await browser.get(path);
      expect(page.status, path).toBe(303);
      expect(page.location, path).toMatch(/^\/sign-in/);
    }
    const { location } = await browser.get("/review");
    const { html } = await browser.get(location ?? "");
    const signedIn = await browser.post("/sign-in", { key: keyOf("ben"), next: fieldOf(html, "next") });
    expect(signedIn).toMatchObject({ status: 303, location: "/review" });
  });

  it.each([
    "/ask",
    "/review/01900000-0000-7000-8000-000000000001?evidence=2&page=4",
    "/decisions?of=all&state=done",
    "/settings",
  ])("leads back to %j, an address of the console with what it says", async (next) => {
    expect(await browser.post("/sign-in", { key: keyOf("ben"), next })).toMatchObject({ status: 303, location: next });
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/review/../..//evil.example",
    "/v1/reviews",
    "/console/x.js",
    "/review?a=\\",
    "/ask?a b",
    "/ask\n",
  ])("never leads to %j", async (next) => {
    expect(await browser.post("/sign-in", { key: keyOf("ben"), next })).toMatchObject({ status: 303, location: "/" });
  });

  it("keeps the key out of cookie and pages, and the cookie away from scripts and other sites", async () => {
    const page = await browser.post("/sign-in", { key: keyOf("ada") });
    const set = page.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^countersign_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const shown = [set, page.html, (await browser.call("/v1/session")).text, (await browser.get("/sign-in")).html].join();
    expect(shown).not.toContain(keyOf("ada"));
  });

  it("refuses a wrong key with the page, and begins no session", async () => {
    const page = await browser.post("/sign-in", { key: "not-a-key-at-all" });
    expect(page.status).toBe(401);
    expect(page.html).toContain("That key is not known here.");
    expect(browser.cookie).toBe("");
  });

  it("without a key is refused at a foreign name that was made to point here", async () => {
    expect(await signInAt("evil.example")).toBe(403);
    expect(await signInAt("localhost.evil.example")).toBe(403);
    expect(await signInAt("localhost")).toBe(303);
  });

  it("offers people without a key in demo mode, and only there", async () => {
    expect((await browser.get("/sign-in")).html).toContain("Ada Lind");
    expect(await browser.post("/sign-in", { person: "ada" })).toMatchObject({ status: 303, location: "/" });
    expect(await new PlainBrowser(house.url).post("/sign-in", { person: "nobody" })).toMatchObject({ status: 401 });
    const strict = await openDeskHouse({ isDemo: false });
    try {
      const other = new PlainBrowser(strict.url);
      expect((await other.get("/sign-in")).html).not.toContain("Ada Lind");
      expect(await other.post("/sign-in", { person: "ada" })).toMatchObject({ status: 403 });
      expect(other.cookie).toBe("");
    } finally {
      await strict.close();
    }
  });

  it("ends after 8 hours, at once on signing out, and for the browser that begins another", async () => {
    await browser.signIn(keyOf("ada"));
    house.time.ms += 8 * 60 * 60 * 1000 - 1000;
    expect((await browser.get("/")).status).toBe(200);
    expect((await browser.call("/v1/session")).status).toBe(200);
    house.time.ms += 1000;
    expect((await browser.get("/")).status).toBe(303);
    expect((await browser.call("/v1/session")).status).toBe(401);

    const token = await browser.signIn(keyOf("ada"));
    const old = new PlainBrowser(house.url);
    old.cookie = browser.cookie;
    expect(await browser.post("/sign-out", { token })).toMatchObject({ status: 303, location: "/sign-in" });
    expect((await old.get("/")).status).toBe(303);

    old.token = await browser.signIn(keyOf("ada"));
    old.cookie = browser.cookie;
    expect((await browser.call("/v1/session/end", { body: {} })).json).toEqual({ ended: true });
    expect((await old.call("/v1/session")).status).toBe(401);

    await browser.signIn(keyOf("ada"));
    old.cookie = browser.cookie;
    await browser.signIn(keyOf("ben"));
    expect((await old.get("/")).status).toBe(303);
  });
});

describe("a session at the API", () => {
  const waiting = async () => {
    const asker = new PlainBrowser(house.url);
    await asker.signIn(keyOf("ada"));
    return (await asker.call("/v1/ask", { body: { text: "a note" } })).json.decision.id as string;
  };
  const stateOf = async (id: string) => {
    const response = await fetch(`${house.url}/v1/decisions/${id}`, { headers: { authorization: `Bearer ${keyOf("ben")}` } });
    return ((await response.json()) as { state: string }).state;
  };

  it("asks, sees and signs as its person, and says who that is and what is open to them", async () => {
    const id = await waiting();
    await browser.signIn(keyOf("ben"));
    expect((await browser.call("/v1/reviews")).json.items.map((view: { id: string }) => view.id)).toContain(id);
    expect((await browser.call(`/v1/reviews/${id}/approve`, { body: {} })).json).toMatchObject({ state: "signed" });
    const { json } = await browser.call("/v1/session");
    expect(json).toMatchObject({
      ...{ tenant: "acme", id: "ben", name: "Ben Okoro", roles: ["employee", "approver"], environment: "demo", isDemo: true },
      ...{ isScripted: true, stopped: null, token: browser.token },
      may: { ask: true, review: true, halts: true, stop: false, openSlices: false, audit: false },
    });
    expect(json.expiresAt).toBeGreaterThan(house.time.ms);
    expect(json.people).toContainEqual({ id: "ada", name: "Ada Lind" });
    await browser.signIn(keyOf("ada"));
    expect((await browser.call("/v1/session")).json.may).toMatchObject({ ask: true, review: false, halts: false, spend: false });
  });

  it("of whoever asked signs nothing", async () => {
    await browser.signIn(keyOf("ben"));
    const { json } = await browser.call("/v1/ask", { body: { text: "a note of ben" } });
    const refused = await browser.call(`/v1/reviews/${json.decision.id}/approve`, { body: {} });
    expect(refused).toMatchObject({ status: 403, json: { code: "approver_not_permitted" } });
    expect(await stateOf(json.decision.id)).toBe("waiting");
  });

  it("changes nothing without the token of its own", async () => {
    const id = await waiting();
    const others = await new PlainBrowser(house.url).signIn(keyOf("ben"));
    await browser.signIn(keyOf("ben"));
    const own = browser.token;
    for (const token of ["", "x", others, `${own}x`, keyOf("ben")]) {
      browser.token = token;
      const refused = await browser.call(`/v1/reviews/${id}/approve`, { body: {} });
      expect(refused, token).toMatchObject({ status: 403, json: { code: "forbidden" } });
    }
    expect(await stateOf(id)).toBe("waiting");
    browser.token = own;
    expect((await browser.call(`/v1/reviews/${id}/approve`, { body: {} })).status).toBe(200);
  });

  it("opens nothing beside a credential that is no good, and no credential is read from a cookie", async () => {
    await browser.signIn(keyOf("ben"));
    for (const authorization of ["Bearer a-key-of-nobody", "Bearer", "Basic YTpi", ""])
      expect((await browser.call("/v1/reviews", { headers: { authorization } })).status, authorization).toBe(401);
    const cookie = browser.cookie.replace(/=.*/, `=${keyOf("ben")}`);
    expect((await fetch(`${house.url}/v1/reviews`, { headers: { cookie } })).status).toBe(401);
  });

  it("takes JSON alone, that no form of another site can send", async () => {
    const id = await waiting();
    await browser.signIn(keyOf("ben"));
    const body = new URLSearchParams({ token: browser.token });
    const headers = { cookie: browser.cookie, "countersign-token": browser.token };
    const sent = await fetch(`${house.url}/v1/reviews/${id}/approve`, { method: "POST", headers, body });
    expect(sent.status).toBe(400);
    expect(await stateOf(id)).toBe("waiting");
  });

  it("is no way into the decider", async () => {
    await browser.signIn(keyOf("ben"));
    const headers = { cookie: browser.cookie, "countersign-token": browser.token };
    expect((await fetch(`${house.deciderUrl}/v1/decisions/x`, { headers })).status).toBe(401);
  });
});

describe("a form", () => {
  const isSignedIn = async () => (await browser.get("/")).status === 200;

  it.each([
    ["another origin", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another site that hides its origin", { origin: "null", "sec-fetch-site": "same-origin" }],
    ["a sibling site", { "sec-fetch-site": "same-site" }],
    ["nowhere", {}],
  ])("from %s is refused, and nothing is done", async (_, headers) => {
    const token = await browser.signIn(keyOf("ben"));
    const foreign = headers as Record<string, string>;
    expect(await browser.post("/sign-out", { token }, foreign)).toMatchObject({ status: 403 });
    expect(await isSignedIn()).toBe(true);
    const other = new PlainBrowser(house.url);
    expect((await other.post("/sign-in", { key: keyOf("ben") }, foreign)).status).toBe(403);
    expect(other.cookie).toBe("");
    expect((await browser.post("/sign-out", { token })).status).toBe(303);
    expect(await isSignedIn()).toBe(false);
  });

  it("without the token of its own session is refused", async () => {
    const others = await new PlainBrowser(house.url).signIn(keyOf("ben"));
    await browser.signIn(keyOf("ben"));
    expect((await browser.post("/sign-out", {})).status).toBe(400);
    for (const token of ["", "x", others]) expect((await browser.post("/sign-out", { token })).status, token).toBe(403);
    expect(await isSignedIn()).toBe(true);
  });

  it("that is too large, no form, or holds NUL is refused", async () => {
    const token = await browser.signIn(keyOf("ada"));
    expect((await browser.post("/sign-out", { token: "a".repeat(300_000) })).status).toBe(413);
    expect((await browser.post("/sign-out", { token: "a\0" })).status).toBe(400);
    const asJson = { origin: house.url, "content-type": "application/json" };
    expect((await browser.post("/sign-out", { token }, asJson)).status).toBe(400);
    expect(await isSignedIn()).toBe(true);
  });
});

/** The status of signing in as a demo person with a name of one's choice in `Host` and `Origin`, as a rebound page would send it. */
function signInAt(host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(house.url);
  const origin = `http://${host}:${port}`;
  const headers = { host: `${host}:${port}`, origin, "content-type": "application/x-www-form-urlencoded" };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: "/sign-in", method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.once("error", reject);
    sent.end("person=ada");
  });
}
