import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consolePaths } from "../../src/server/desk/console-paths.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { type Listening, listen } from "../../src/server/listen.ts";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// The files of a built console, as the desk serves them; what they do is tried in a browser elsewhere.
const page = '<!doctype html><title>Console</title><script type="module" src="/console/main-B1a2.js"></script>';
let house: DeskHouse;
let folder: string;
let built: Listening;
let bare: Listening;

beforeAll(async () => {
  house = await openDeskHouse();
  folder = await mkdtemp(join(tmpdir(), "countersign-console-"));
  await mkdir(join(folder, "console"));
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, "console/main-B1a2.js"), "export {};");
  await writeFile(join(folder, "console/main-C3d4.css"), "body {}");
  await writeFile(join(folder, "secret.txt"), "beside it");
  [built, bare] = await Promise.all([open(folder), open(join(folder, "nowhere"))]);
});
afterAll(async () => {
  await Promise.all([built?.close(), bare?.close(), house?.close()]);
  await rm(folder, { recursive: true, force: true });
});

function open(consoleFolder: string): Promise<Listening> {
  const { desk, doors, deciderUrl } = house;
  const app = deskRoutes({ desk, ...doors, deciderUrl, demoPeople: null, log: () => {}, consoleFolder });
  return listen({ app, host: "127.0.0.1", port: 0 });
}

async function signedIn({ url }: Listening, name: "ada" | "ben" = "ada"): Promise<PlainBrowser> {
  const browser = new PlainBrowser(url);
  await browser.signIn(keyOf(name));
  return browser;
}

const addresses = consolePaths.map((path) => path.replace(":id", "01900000-0000-7000-8000-000000000001"));

describe("an address of the console", () => {
  it.each(addresses)("at %s is the one page, kept by nobody, with no code and no style but our own files", async (address) => {
    const { status, html, headers } = await (await signedIn(built)).get(`${address}?evidence=2`);
    expect([status, html]).toEqual([200, page]);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ "cache-control": "no-store", "x-content-type-options": "nosniff", "x-frame-options": "DENY" },
      ...{ "referrer-policy": "same-origin", "content-type": expect.stringContaining("text/html") },
    });
  });

  it.each(addresses)("at %s leads whoever has not signed in to do so, and back", async (address) => {
    const { status, location } = await new PlainBrowser(built.url).get(`${address}?evidence=2`);
    expect(status).toBe(303);
    expect(new URL(location ?? "", built.url).searchParams.get("next")).toBe(address === "/" ? null : `${address}?evidence=2`);
  });

  it("says so where no console was built, and how to build it", async () => {
    const browser = await signedIn(bare);
    for (const address of addresses) {
      const { status, html } = await browser.get(address);
      expect(status, address).toBe(200);
      expect(html, address).toContain("npm run console");
      expect(html, address).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
    }
    expect((await browser.get("/")).html).toContain("Ada Lind");
  });
});

describe("a file of the console", () => {
  it.each([
    ["main-B1a2.js", "text/javascript; charset=utf-8", "export {};"],
    ["main-C3d4.css", "text/css; charset=utf-8", "body {}"],
  ])("%s is kept for ever, with its type", async (name, type, text) => {
    const response = await fetch(`${built.url}/console/${name}`);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await response.text()).toBe(text);
  });

  it.each(["index.html", "%2e%2e%2fsecret.txt", "../secret.txt", "..%5csecret.txt", "main-B1a2.js%00", "none.js"])(
    "is none but those that the build put there: %s",
    async (name) => {
      const response = await fetch(`${built.url}/console/${name}`);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("beside it");
    },
  );
});

describe("what is no page", () => {
  it("answers errors for people with a page of three parts, for programs with a problem", async () => {
    const browser = await signedIn(built);
    const shown = await browser.get("/nothing/here");
    expect(shown.status).toBe(404);
    for (const words of ["Not open to you.", "Nothing was changed.", "Ada Lind", "Back to the console"])
      expect(shown.html).toContain(words);
    expect(shown.html.match(/<h1/g)).toHaveLength(1);
    const problem = await fetch(`${built.url}/nothing/here`, { headers: { cookie: browser.cookie } });
    expect(problem.headers.get("content-type")).toBe("application/problem+json");
    expect(house.faults).toEqual([]);
  });

  it("links to styles that are there with their types, and to no other file", async () => {
    const { html } = await new PlainBrowser(built.url).get("/sign-in");
    const paths = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths)
      expect((await fetch(`${built.url}${path}`)).headers.get("content-type"), path).toMatch(/^(?:text\/css|image\/svg)/);
    expect((await fetch(`${built.url}/assets/%2e%2e/routes.ts`)).status).toBe(404);
  });
});
