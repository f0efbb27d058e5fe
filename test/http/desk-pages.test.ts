import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldOf, type Page, PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
let ada: PlainBrowser;
let ben: PlainBrowser;
beforeAll(async () => {
  house = await openDeskHouse();
  ada = new PlainBrowser(house.url);
  ben = new PlainBrowser(house.url);
  await ada.signIn(keyOf("ada"));
  await ben.signIn(keyOf("ben"));
});
afterAll(() => house.close());

async function ask(text: string): Promise<string> {
  const { html } = await ada.get("/");
  const page = await ada.post("/ask", { text, token: fieldOf(html, "token"), send: fieldOf(html, "send") });
  expect(page.status, page.html).toBe(303);
  return (page.location ?? "").replace("/#d-", "");
}

async function sign(id: string): Promise<Page> {
  const { html } = await ben.get(`/review/${id}?step=approve`);
  return ben.post(`/review/${id}/approve`, { token: fieldOf(html, "token") });
}

describe("every page", () => {
  it("allows no code and no style but our own files, no frame, and forms to here alone", async () => {
    const id = await ask("a note for headers");
    for (const path of [
      "/",
      "/review",
      `/review/${id}`,
      `/review/${id}?step=reject`,
      `/decisions/${id}`,
      "/sign-in",
      "/nothing",
    ]) {
      const { headers, html } = await ben.get(path);
      expect(headers.get("content-security-policy"), path).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("referrer-policy"), path).toBe("same-origin");
      expect(headers.get("cache-control"), path).toBe("no-store");
      expect(html, path).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:|https?:\/\//i);
      expect(html.match(/<script/g), path).toHaveLength(1);
      expect(html, path).toMatch(/<html lang="en">/);
      expect(html.match(/<main /g), path).toHaveLength(1);
      expect(html.match(/<h1/g), path).toHaveLength(1);
    }
  });

  it("links to assets that are there with their types, and to no other file", async () => {
    const { html } = await ben.get("/");
    const paths = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths)
      expect((await fetch(`${house.url}${path}`)).headers.get("content-type"), path).toMatch(
        /^(?:text\/(?:css|javascript)|image\/svg)/,
      );
    expect((await fetch(`${house.url}/assets/%2e%2e/routes.ts`)).status).toBe(404);
  });

  it("shows text from outside as text, wherever it stands", async () => {
    const hostile = `a note <script>alert(1)</script> " onmouseover="x" ' &amp; <img src=x>`;
    const id = await ask(hostile);
    for (const [who, path] of [
      [ada, "/"],
      [ada, `/decisions/${id}`],
      [ben, "/review"],
      [ben, `/review/${id}`],
      [ben, `/review/${id}?step=approve`],
    ] as const) {
      const { html } = await who.get(path);
      expect(html, path).toContain(
        "a note &lt;script&gt;alert(1)&lt;/script&gt; &quot; onmouseover=&quot;x&quot; &#39; &amp;amp; &lt;img src=x&gt;",
      );
      expect(html.match(/<script/g), path).toHaveLength(1);
      expect(html, path).not.toMatch(/<img|" onmouseover/);
    }
    const item = (await ben.get(`/review/${id}`)).html;
    expect(item).toContain("<s>old &lt;i&gt;&quot;note&quot;&lt;/i&gt;</s>");
    expect(item).toContain("A &lt;b&gt;long&lt;/b&gt; note.");
  });

  it("answers errors for people with a page of three parts, for programs with a problem", async () => {
    const page = await ada.get("/decisions/01a229e5-6e4e-713e-a936-47334b83ad5e");
    expect(page.status).toBe(404);
    expect(page.html).toContain("Not open to you.");
    expect(page.html).toContain("Nothing was changed.");
    const problem = await fetch(`${house.url}/decisions/x`, { headers: { cookie: ada.cookie } });
    expect(problem.headers.get("content-type")).toBe("application/problem+json");
    expect(house.faults).toEqual([]);
  });
});

describe("Ask", () => {
  it("shows what was asked with its state, newest first, and only to who asked", async () => {
    await ask("is there a source?");
    await ask("a note, later");
    await ask("fly me to the moon");
    const { html } = await ada.get("/");
    const order = ["fly me to the moon", "a note, later", "is there a source?"].map((text) => html.indexOf(text));
    expect(order.every((place) => place > 0)).toBe(true);
    expect(order).toEqual([...order].sort((one, other) => one - other));
    for (const words of [
      "The sources do not say.",
      "Proposed, not done.",
      "Waits for a person",
      "Nothing that can be done here fits",
    ])
      expect(html).toContain(words);
    expect((await ben.get("/")).html).toContain("You have not asked for anything yet.");
  });

  it("begins one decision where a form is sent twice, and keeps the words where it could not be sent", async () => {
    const { html } = await ada.get("/");
    const form = { text: "a note sent twice", token: fieldOf(html, "token"), send: fieldOf(html, "send") };
    const [first, second] = [await ada.post("/ask", form), await ada.post("/ask", form)];
    expect(first.location).toMatch(/^\/#d-/);
    expect(second.location).toBe(first.location);
    const lonely = new PlainBrowser(await house.openDeskBefore("http://127.0.0.1:1"));
    const token = await lonely.signIn(keyOf("ada"));
    const refused = await lonely.post("/ask", { text: 'keep "these" words', token, send: crypto.randomUUID() });
    expect(refused.status).toBe(503);
    expect(refused.html).toContain("keep &quot;these&quot; words</textarea>");
    expect(refused.html).toContain("Your request was not taken and nothing was changed.");
  });

  it("does not open reviewing to who may not review", async () => {
    expect((await ada.get("/")).html).not.toContain('href="/review"');
    expect(await ada.get("/review")).toMatchObject({ status: 403, html: expect.stringContaining("Not open to you.") });
  });
});

describe("Review", () => {
  it("shows change, doubt, consequence and two answers of equal weight, in this order, none of them focused", async () => {
    const id = await ask("a note that is rather long, and to mail");
    const { html } = await ben.get(`/review/${id}`);
    const places = ["<h1", "What changes", "What is unsure", "What happens on approval", "Approve 2 changes", "Reject…"].map(
      (text) => html.indexOf(text),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(html).not.toContain("autofocus");
    expect(html).toContain("Short enough did not pass.");
    expect(html).toContain("External, cannot be undone");
    expect(html).toContain("At most once: if unknown, never sent again.");
    expect(html).toContain("1 other field stays as it is");
    expect(html.match(/Confidence \d/g)).toHaveLength(1);
  });

  it.each([
    ["signs in one step where the risk is low and it can be undone", "a note", false],
    ["asks again where the risk is not low", "a heavy note", true],
    ["asks again where something leaves the house", "a note to mail", true],
  ])("%s", async (_, text, asks) => {
    const id = await ask(text);
    const { html } = await ben.get(`/review/${id}`);
    expect(html.includes(`action="/review/${id}/approve"`)).toBe(!asks);
    expect(html.includes('name="step" value="approve"')).toBe(asks);
    const confirm = (await ben.get(`/review/${id}?step=approve`)).html;
    expect(confirm).toContain(`action="/review/${id}/approve"`);
  });

  it("shows the signature once it is there, says Done to nothing that was not seen, and refuses a second answer", async () => {
    const id = await ask("a note to sign");
    expect(await sign(id)).toMatchObject({ status: 303, location: `/review/${id}` });
    const { html } = await ben.get(`/review/${id}`);
    expect(html).toContain("<strong data-words>Signed</strong>");
    expect(html).not.toContain(">Done<");
    expect(html).not.toContain(`/review/${id}/approve`);
    const again = await ben.post(`/review/${id}/approve`, { token: fieldOf(html, "token") });
    expect(again.status).toBe(409);
    expect(again.html).toContain("Somebody was first.");
    expect(again.html).toContain("What changes");
    const requester = (await ada.get("/")).html;
    expect(requester).toContain("by Ben Okoro");
  });

  it("rejects with a reason, and asks for one where it is missing", async () => {
    const id = await ask("a note to reject");
    const { html } = await ben.get(`/review/${id}?step=reject`);
    const token = fieldOf(html, "token");
    expect((await ben.post(`/review/${id}/reject`, { token, reason: " " })).status).toBe(400);
    expect((await ben.post(`/review/${id}/reject`, { token, reason: "not <now>" })).status).toBe(303);
    expect((await ben.get(`/review/${id}`)).html).toContain("A person has declined the proposal.");
  });

  it("closes signing to who asked", async () => {
    const { html: form } = await ben.get("/");
    const page = await ben.post("/ask", { text: "a note of ben", token: fieldOf(form, "token"), send: fieldOf(form, "send") });
    const id = (page.location ?? "").replace("/#d-", "");
    const { html } = await ben.get(`/review/${id}`);
    expect(html).toContain("You asked for this, so somebody else signs it.");
    const refused = await ben.post(`/review/${id}/approve`, { token: fieldOf(html, "token") });
    expect(refused).toMatchObject({ status: 403, html: expect.stringContaining("You may not sign this.") });
  });
});

describe("what the script reads", () => {
  it("is the words of what this person may see, while it moves", async () => {
    const id = await ask("a note to look at");
    const look = async (who: PlainBrowser) =>
      (await fetch(`${house.url}/states?id=${id}`, { headers: { cookie: who.cookie } })).json();
    expect(await look(ada)).toMatchObject({
      items: [{ id, againMs: 5000, lines: { [`state-${id}`]: { mark: "pen", words: "Proposed, not done." } } }],
    });
    await sign(id);
    expect(await look(ada)).toMatchObject({
      items: [{ id, againMs: 1000, lines: { [`state-${id}`]: { mark: "signed", words: "Signed" } } }],
    });
    const gus = new PlainBrowser(house.url);
    await gus.signIn(keyOf("gus"));
    expect(await look(gus)).toEqual({ items: [] });
    expect((await fetch(`${house.url}/states?id=${id}`)).status).toBe(401);
  });

  it("names places that are on the page", async () => {
    const id = await ask("a note with places");
    const html = (await ada.get("/")).html + (await ben.get(`/review/${id}`)).html;
    const states: unknown = await (await fetch(`${house.url}/states?id=${id}`, { headers: { cookie: ada.cookie } })).json();
    expect(JSON.stringify(states)).toContain(`step-${id}-0`);
    for (const place of [`state-${id}`, `step-${id}-0`, `step-${id}-2`]) expect(html).toContain(`id="${place}"`);
  });
});

describe("the page of a decision", () => {
  it("holds state, routing with its rule, signals, checks and the story of entries", async () => {
    const id = await ask("a note that is also rather long");
    await sign(id);
    const { html } = await ada.get(`/decisions/${id}`);
    for (const words of [
      "Routing",
      "below_margin",
      "Verification",
      "Checks",
      "Short enough",
      "Story",
      "<strong>decided</strong>",
      "<strong>approved</strong>",
      "by Ben Okoro",
    ]) {
      expect(html, words).toContain(words);
    }
  });
});
