import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCountersignError } from "../../src/contract/errors.ts";
import { openIdentities } from "../../src/identity/identities.ts";
import { providerSettings } from "../../src/identity/provider-settings.ts";
import { openProviderSignIn } from "../../src/identity/provider-sign-in.ts";
import { openTokens } from "../../src/identity/tokens.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { type Listening, listen } from "../../src/server/listen.ts";
import type { Routes } from "../../src/server/routes.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";
import { audience, deskClient, openTestProvider, type TestProvider, WanderingBrowser } from "./oidc-house.ts";

// People and agents as an identity provider knows them: a real provider over real HTTP.
let house: DeskHouse;
let provider: TestProvider;
let database: Database;
/** Two desks: roles come from the table of accounts at the first, and from the provider at the second. */
const desks: Listening[] = [];
const time = { aheadMs: 0 };

beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
  provider = await openTestProvider();
  database = openDatabase({ url: house.urls.desk, role: "desk" });
  for (const rolesClaim of [undefined, "groups"]) desks.push(await openDesk(rolesClaim));
  provider.register(deskUrl());
  const known = "update countersign.account set external_issuer = $1, external_subject = $2 where tenant = 'acme' and id = $3";
  await house.owner.query(known, [provider.issuer, "subject-of-ben", "ben"]);
  await house.owner.query(known, [provider.issuer, "robot", "bot"]);
}, 60_000);
afterAll(async () => {
  await Promise.all(desks.map((desk) => desk.close()));
  await database?.close();
  await provider?.close();
  await house?.close();
});

async function openDesk(rolesClaim: string | undefined): Promise<Listening> {
  // The provider leads back to where the desk listens, which is known once it does.
  let routes: Routes | undefined;
  const app = { fetch: ((...asked) => routes?.fetch(...asked) ?? new Response("")) as Routes["fetch"] };
  const listening = await listen({ app, host: "127.0.0.1", port: 0 });
  const settings = providerSettings(envOf(listening.url, rolesClaim), () => deskClient.secret);
  if (settings === null) throw new Error("there is an issuer");
  const identities = openIdentities(database, openTokens(settings));
  routes = deskRoutes({
    ...{
      desk: house.desk,
      identities,
      assert: house.doors.assert,
      deciderUrl: house.deciderUrl,
      demoPeople: null,
      log: () => {},
    },
    now: () => Date.now() + time.aheadMs,
    providerSignIn: openProviderSignIn(settings, identities.ofSubject),
  });
  return listening;
}

const envOf = (origin: string, rolesClaim?: string) => ({
  COUNTERSIGN_OIDC_ISSUER: provider.issuer,
  COUNTERSIGN_OIDC_AUDIENCE: audience,
  COUNTERSIGN_OIDC_JWKS_URL: provider.jwksUrl,
  COUNTERSIGN_OIDC_CLIENT_ID: deskClient.id,
  COUNTERSIGN_DESK_ORIGIN: origin,
  ...(rolesClaim === undefined ? {} : { COUNTERSIGN_OIDC_ROLES_CLAIM: rolesClaim }),
});
const deskUrl = (place = 0) => desks[place]?.url ?? "";
const call = async (token: string, path: string, { body, place = 0 }: { body?: object; place?: number } = {}) => {
  const response = await fetch(`${deskUrl(place)}/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};
const note = { capability: "keep_notes", inputs: { text: "a note by token" } };
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe("a bearer token", () => {
  it("is good for the account of its subject, with the roles of the table", async () => {
    const token = await provider.signed({ sub: "subject-of-ben", groups: ["owner"] });
    expect(await call(token, "/decisions", { body: note })).toMatchObject({ status: 201, json: { requestedBy: "ben" } });
    expect(await call(token, "/halts", { body: { scope: "effect", name: "mail_note", stop: true, reason: "no" } })).toMatchObject(
      { status: 403 },
    );
  });

  it("says the roles where that is configured, at the decider too", async () => {
    const place = 1;
    const asOwner = await provider.signed({ sub: "subject-of-ben", groups: ["owner", 7, "Not A Role"] });
    expect((await call(asOwner, "/halts", { place })).status).toBe(200);
    expect(await call(asOwner, "/decisions", { body: note, place })).toMatchObject({
      status: 404,
      json: { code: "unknown_capability" },
    });
    const asEmployee = await provider.signed({ sub: "subject-of-ben", groups: ["employee"] });
    expect((await call(asEmployee, "/decisions", { body: note, place })).status).toBe(201);
    expect((await call(await provider.signed({ sub: "subject-of-ben" }), "/halts", { place })).status).toBe(403);
  });

  it("of a client is its agent's, which asks and reads for its person and does no more", async () => {
    const token = await provider.clientToken();
    const asked = await call(token, "/decisions", { body: note });
    expect(asked).toMatchObject({ status: 201, json: { requestedBy: "bot" } });
    // What it asked for its person, the person sees as their own.
    const own = await fetch(`${deskUrl()}/v1/decisions/${asked.json["id"]}`, {
      headers: { authorization: `Bearer ${keyOf("ada")}` },
    });
    expect(own.status).toBe(200);
    expect((await call(token, `/reviews/${asked.json["id"]}/approve`, { body: {} })).status).toBe(403);
  });

  it("of a client is no person's, whatever the provider calls the two", async () => {
    const token = await provider.signed({ sub: "subject-of-ben", client_id: "subject-of-ben" });
    expect((await call(token, "/decisions")).status).toBe(401);
  });

  it.each([
    ["of nobody here", { sub: "subject-of-nobody" }],
    ["of another issuer", { sub: "subject-of-ben", iss: "http://127.0.0.1:1" }],
    ["for somebody else", { sub: "subject-of-ben", aud: "another-api" }],
    ["for the desk's own client, such as an ID token", { sub: "subject-of-ben", aud: deskClient.id }],
    ["of a sign-in with a nonce, which is an ID token", { sub: "subject-of-ben", nonce: "n-1" }],
    ["beside an access token, which is an ID token", { sub: "subject-of-ben", at_hash: "x" }],
    ["that has expired", { sub: "subject-of-ben", exp: inSeconds(-90) }],
    ["without an end", { sub: "subject-of-ben", exp: undefined }],
    ["that is not good yet", { sub: "subject-of-ben", nbf: inSeconds(120) }],
    ["that was made later than now", { sub: "subject-of-ben", iat: inSeconds(200) }],
    ["that does not say when it was made", { sub: "subject-of-ben", iat: undefined }],
    ["without a subject", { sub: undefined }],
  ])("%s opens nothing", async (_what, claims) => {
    expect((await call(await provider.signed(claims), "/decisions")).status).toBe(401);
  });

  it("is forgiven a minute between two clocks", async () => {
    const token = await provider.signed({ sub: "subject-of-ben", exp: inSeconds(-30), nbf: inSeconds(30), iat: inSeconds(30) });
    expect((await call(token, "/decisions")).status).toBe(200);
  });

  it("is not believed under another key, a shared secret or none", async () => {
    const claims = { sub: "subject-of-ben" };
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const [header, body, signature] = (await provider.signed(claims)).split(".");
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = [
      await provider.signed(claims, { key: privateKey }),
      await provider.signed(claims, { alg: "HS256" }),
      `${part({ alg: "none" })}.${body}.${signature}`,
      `${header}.${part({ ...claims, iss: provider.issuer, aud: audience, iat: inSeconds(0), exp: inSeconds(60) })}.${signature}`,
    ];
    for (const token of forged) expect((await call(token, "/decisions")).status).toBe(401);
  });

  it("is refused from the next request on once its account is deactivated", async () => {
    const token = await provider.signed({ sub: "subject-of-ben" });
    await house.owner.query("update countersign.account set state = 'deactivated' where id = 'ben'");
    expect((await call(token, "/decisions")).status).toBe(401);
    await house.owner.query("update countersign.account set state = 'active' where id = 'ben'");
    expect((await call(token, "/decisions")).status).toBe(200);
  });
});

describe("signing in at the provider", () => {
  const begin = async (browser: WanderingBrowser, next = "/review") => {
    const page = await browser.send(`${deskUrl()}/sign-in/provider?${new URLSearchParams({ next })}`);
    const { url } = await browser.follow(page.location ?? "");
    return { authorization: new URL(page.location ?? ""), interaction: url, set: page.headers.get("set-cookie") ?? "" };
  };

  it("is offered, leads there with PKCE, state and nonce, and back to where one wanted to go", async () => {
    const browser = new WanderingBrowser();
    expect((await browser.send(`${deskUrl()}/sign-in`)).html).toContain("Sign in at 127.0.0.1");
    const { authorization, interaction, set } = await begin(browser);
    expect(Object.fromEntries(authorization.searchParams)).toMatchObject({
      ...{ response_type: "code", scope: "openid", code_challenge_method: "S256", client_id: deskClient.id },
      ...{
        state: expect.stringMatching(/^\S{20,}$/),
        nonce: expect.stringMatching(/^\S{20,}$/),
        code_challenge: expect.stringMatching(/^\S{40,}$/),
      },
    });
    expect(set).toMatch(/^countersign_\d+_begun=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const back = await browser.agree(interaction, "subject-of-ben");
    const signedIn = await browser.send(back);
    expect(signedIn).toMatchObject({ status: 200 });
    expect(signedIn.headers.get("refresh")).toBe("0; url=/review");
    expect(signedIn.headers.getSetCookie().join()).toMatch(/countersign_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/);
    expect((await browser.send(`${deskUrl()}/v1/session`)).html).toContain("Ben Okoro");
    expect((await browser.send(`${deskUrl()}/review`)).status).toBe(200);

    // Once: the same answer again begins nothing, also not in the same browser.
    expect((await browser.send(back)).status).toBe(403);
    await house.owner.query("update countersign.account set state = 'deactivated' where id = 'ben'");
    expect((await browser.send(`${deskUrl()}/`)).status).toBe(303);
    await house.owner.query("update countersign.account set state = 'active' where id = 'ben'");
  });

  it("lets nobody in who has no account here", async () => {
    const browser = new WanderingBrowser();
    const back = await browser.agree((await begin(browser)).interaction, "subject-of-nobody");
    expect((await browser.send(back)).status).toBe(403);
    expect((await browser.send(`${deskUrl()}/`)).status).toBe(303);
  });

  it("signs no other browser in with somebody's answer", async () => {
    const browser = new WanderingBrowser();
    const back = await browser.agree((await begin(browser)).interaction, "subject-of-ben");
    const victim = new WanderingBrowser();
    expect((await victim.send(back)).status).toBe(403);
    await begin(victim);
    expect((await victim.send(back)).status).toBe(403);
    expect((await victim.send(`${deskUrl()}/`)).status).toBe(303);
  });

  it("takes no answer with another state, and none after ten minutes", async () => {
    const browser = new WanderingBrowser();
    const back = new URL(await browser.agree((await begin(browser)).interaction, "subject-of-ben"));
    back.searchParams.set("state", randomUUID());
    expect((await browser.send(back.href)).status).toBe(403);
    const late = new WanderingBrowser();
    const answer = await late.agree((await begin(late)).interaction, "subject-of-ben");
    time.aheadMs = 10 * 60_000;
    expect((await late.send(answer)).status).toBe(403);
    time.aheadMs = 0;
  });

  it("never leads anywhere else", async () => {
    const browser = new WanderingBrowser();
    const back = await browser.agree((await begin(browser, "//evil.example")).interaction, "subject-of-ben");
    expect((await browser.send(back)).headers.get("refresh")).toBe("0; url=/");
  });

  it("is not there where no provider is set up", async () => {
    const browser = new PlainBrowser(house.url);
    expect((await browser.get("/sign-in")).html).not.toContain("Sign in at");
    expect((await browser.get("/sign-in/provider")).status).toBe(404);
  });
});

describe("the settings of a provider", () => {
  const good = () => envOf("http://127.0.0.1:4600");
  it.each([
    ["a token without a signature", { COUNTERSIGN_OIDC_ALGORITHMS: "RS256,none" }],
    ["a shared secret", { COUNTERSIGN_OIDC_ALGORITHMS: "HS256" }],
    ["keys without TLS from elsewhere", { COUNTERSIGN_OIDC_JWKS_URL: "http://id.example/jwks" }],
    ["an issuer without TLS elsewhere", { COUNTERSIGN_OIDC_ISSUER: "http://id.example" }],
    ["an audience that ID tokens have", { COUNTERSIGN_OIDC_AUDIENCE: deskClient.id }],
    ["tokens whose keys are nowhere", { COUNTERSIGN_OIDC_JWKS_URL: "" }],
    ["a browser that finds no way back", { COUNTERSIGN_DESK_ORIGIN: "" }],
  ])("refuse %s", (_what, change) => {
    const read = () => providerSettings({ ...good(), ...change }, () => null);
    expect(read).toThrow(expect.toSatisfy((thrown) => isCountersignError(thrown, "configuration_invalid")));
  });

  it("are none where no issuer is named", () => {
    expect(providerSettings({}, () => null)).toBeNull();
    expect(providerSettings(good(), () => null)).not.toBeNull();
  });
});
