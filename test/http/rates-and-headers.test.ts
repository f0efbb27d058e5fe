import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// Limits on how often, and what every answer says to browsers. One address is behind one proxy here, so a test may name it.
const rates = { account: { perSecond: 1, burst: 5 }, address: { perSecond: 1, burst: 3 }, proxies: 1 };
let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse({ rates });
});
afterAll(() => house?.close());

const from = (address: string, key: string | null, path = "/v1/decisions") =>
  fetch(`${house.url}${path}`, {
    headers: { "x-forwarded-for": address, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
  });
const statuses = async (times: number, ask: () => Promise<Response>) => {
  const seen: number[] = [];
  for (let n = 0; n < times; n += 1) seen.push((await ask()).status);
  return seen;
};

describe("a limit", () => {
  it("holds one account to its rate, tells how long to wait, and nobody else", async () => {
    expect(await statuses(5, () => from("192.0.2.1", keyOf("ada")))).toEqual([200, 200, 200, 200, 200]);
    // From another address too: it is the account that asks.
    const refused = await from("192.0.2.2", keyOf("ada"));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ code: "too_many_requests", facts: { seconds: 1 } });
    expect((await from("192.0.2.1", keyOf("ben"))).status).toBe(200);
    house.time.ms += 1_000;
    expect(await statuses(2, () => from("192.0.2.1", keyOf("ada")))).toEqual([200, 429]);
  });

  it("holds an address to how often it may be wrong, also for a key that is right then, and no other address", async () => {
    expect(await statuses(4, () => from("192.0.2.9", "a-key-of-nobody"))).toEqual([401, 401, 401, 429]);
    // What one got wrong holds up nobody else behind the same address.
    expect((await from("192.0.2.9", keyOf("bea"))).status).toBe(200);
    expect((await from("192.0.2.10", keyOf("bea"))).status).toBe(200);
    // What the caller itself writes in front of the proxy's word counts for nothing.
    expect((await from("192.0.2.77, 192.0.2.9", "a-key-of-nobody")).status).toBe(429);
    house.time.ms += 3_000;
    expect((await from("192.0.2.9", keyOf("bea"))).status).toBe(200);
  });

  it("holds for signing in with the page, which says so", async () => {
    const browser = new PlainBrowser(house.url);
    const headers = { origin: house.url, "x-forwarded-for": "192.0.2.20" };
    const wrong = () => browser.post("/sign-in", { key: "a-key-of-nobody" }, headers);
    expect([await wrong(), await wrong(), await wrong()].map(({ status }) => status)).toEqual([401, 401, 401]);
    const refused = await wrong();
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(browser.cookie).toBe("");
    const word = { word: "x", tenant: "main", tenantName: "x", id: "owner", name: "x" };
    expect((await browser.post("/first-owner", word, headers)).status).toBe(429);
  });
});

describe("every answer of both servers", () => {
  const paths = [
    "/healthz",
    "/",
    "/sign-in",
    "/v1/decisions",
    "/v1/none",
    "/nowhere",
    "/assets/frame.css",
    "/console/none.js",
    "/first-owner",
  ];
  it.each(paths)("says at %s that nobody frames, guesses or keeps it", async (path) => {
    for (const url of [house.url, house.deciderUrl]) {
      for (const method of ["GET", "DELETE"]) {
        const { headers } = await fetch(`${url}${path}`, {
          method,
          redirect: "manual",
          headers: { "x-forwarded-for": "192.0.2.30" },
        });
        expect(Object.fromEntries(headers)).toMatchObject({
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
          "permissions-policy": expect.stringContaining("camera=()"),
          "referrer-policy": expect.stringMatching(/^(?:no-referrer|same-origin)$/),
        });
        const policy = headers.get("content-security-policy") ?? "";
        expect(policy).toMatch(/default-src 'none'/);
        expect(policy).toMatch(/frame-ancestors 'none'/);
        expect(policy).not.toMatch(/unsafe|\*/);
        expect(headers.get("strict-transport-security")).toBeNull();
      }
    }
  });

  it("keeps browsers on https once they came by it, with a cookie that no other host can set", async () => {
    const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.31", origin: house.url };
    expect((await fetch(`${house.url}/sign-in`, { headers })).headers.get("strict-transport-security")).toBe("max-age=31536000");
    const body = new URLSearchParams({ key: keyOf("audra") });
    const signedIn = await fetch(`${house.url}/sign-in`, { method: "POST", headers, body, redirect: "manual" });
    expect(signedIn.headers.get("set-cookie")).toMatch(
      /^__Host-countersign=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it("holds no script where it is a plain page", async () => {
    const { html } = await new PlainBrowser(house.url).get("/sign-in");
    expect(html).not.toMatch(/<script| on[a-z]+=|<style|style=/);
  });
});
