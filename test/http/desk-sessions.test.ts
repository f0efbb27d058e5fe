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
    for (const path of ["/", "/review", "/review/any", "/decisions/any"]) {
      const page = await browser.get(path);
      expect(page.status, path).toBe(303);
      expect(page.location, path).toMatch(/^\/sign-in/);
    }
    const { location } = await browser.get("/review");
    const { html } = await browser.get(location ?? "");
    const signedIn = await browser.post("/sign-in", { key: keyOf("ben"), next: fieldOf(html, "next") });
    expect(signedIn).toMatchObject({ status: 303, location: "/review" });
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example", "/review/../..//evil.example", "/v1/reviews"])(
    "never leads to %j",
    async (next) => {
      expect(await browser.post("/sign-in", { key: keyOf("ben"), next })).toMatchObject({ status: 303, location: "/" });
    },
  );

  it("keeps the key out of cookie and pages, and the cookie away from scripts and other sites", async () => {
    const page = await browser.post("/sign-in", { key: keyOf("ada") });
    const set = page.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^countersign_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const shown = [set, page.html, (await browser.get("/")).html, (await browser.get("/sign-in")).html].join();
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
    house.time.ms += 1000;
    expect((await browser.get("/")).status).toBe(303);

    const token = await browser.signIn(keyOf("ada"));
    const old = new PlainBrowser(house.url);
    old.cookie = browser.cookie;
    expect(await browser.post("/sign-out", { token })).toMatchObject({ status: 303, location: "/sign-in" });
    expect((await old.get("/")).status).toBe(303);

    await browser.signIn(keyOf("ada"));
    old.cookie = browser.cookie;
    await browser.signIn(keyOf("ben"));
    expect((await old.get("/")).status).toBe(303);
  });
});

describe("a form", () => {
  const waiting = async () => {
    const asker = new PlainBrowser(house.url);
    const page = await asker.post("/ask", { text: "a note", token: await asker.signIn(keyOf("ada")), send: crypto.randomUUID() });
    return (page.location ?? "").replace("/#d-", "");
  };
  const stateOf = async (id: string) => {
    const response = await fetch(`${house.url}/v1/decisions/${id}`, { headers: { authorization: `Bearer ${keyOf("ben")}` } });
    return ((await response.json()) as { state: string }).state;
  };

  it.each([
    ["another origin", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another site that hides its origin", { origin: "null", "sec-fetch-site": "same-origin" }],
    ["a sibling site", { "sec-fetch-site": "same-site" }],
    ["nowhere", {}],
  ])("from %s is refused, and nothing is signed", async (_, headers) => {
    const id = await waiting();
    const token = await browser.signIn(keyOf("ben"));
    expect(await browser.post(`/review/${id}/approve`, { token }, headers as Record<string, string>)).toMatchObject({
      status: 403,
    });
    expect(await stateOf(id)).toBe("waiting");
    expect((await browser.post(`/review/${id}/approve`, { token })).status).toBe(303);
    expect(await stateOf(id)).toBe("signed");
  });

  it("without the token of its own session is refused", async () => {
    const id = await waiting();
    const others = await new PlainBrowser(house.url).signIn(keyOf("ben"));
    await browser.signIn(keyOf("ben"));
    expect((await browser.post(`/review/${id}/approve`, {})).status).toBe(400);
    for (const token of ["", "x", others])
      expect((await browser.post(`/review/${id}/approve`, { token })).status, token).toBe(403);
    expect(await stateOf(id)).toBe("waiting");
  });

  it("that is too large, no form, or holds NUL is refused", async () => {
    const token = await browser.signIn(keyOf("ada"));
    const send = crypto.randomUUID();
    expect((await browser.post("/ask", { text: "a".repeat(300_000), token, send })).status).toBe(413);
    expect((await browser.post("/ask", { text: "a\0", token, send })).status).toBe(400);
    const asJson = { origin: house.url, "content-type": "application/json" };
    expect((await browser.post("/ask", { text: "a", token, send }, asJson)).status).toBe(400);
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
