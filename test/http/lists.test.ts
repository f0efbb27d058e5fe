import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import type { Page } from "../../src/contract/page.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// Lists page by page: in which order, how far, and for whom.
let house: DeskHouse;
const ids: string[] = [];
beforeAll(async () => {
  house = await openDeskHouse();
  for (const n of Array(7).keys()) ids.push(await proposed("ada", `a note ${n}`));
});
afterAll(() => house?.close());

type Name = Parameters<typeof keyOf>[0];
const client = (name: Name): Client => createClient({ baseUrl: house.url, apiKey: keyOf(name) });
const proposed = async (name: Name, text: string, capability = "keep_notes") =>
  (await client(name).decide({ capability, inputs: { text } })).id;
const call = async (name: Name, path: string) => {
  const response = await fetch(`${house.url}/v1${path}`, { headers: { authorization: `Bearer ${keyOf(name)}` } });
  return { status: response.status, json: JSON.parse(await response.text()) };
};

/** Every item of a list, by pages of so many. */
async function all<T>(read: (cursor?: string) => Promise<Page<T>>): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await read(cursor);
    pages.push(items);
    if (next === null) return pages;
    cursor = next;
  }
}
const at = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });
const idsOf = (pages: readonly (readonly { id: string }[])[]) => pages.flat().map(({ id }) => id);

describe("what waits", () => {
  it("is listed page by page, the oldest first, each once, with its time to end", async () => {
    const pages = await all((cursor) => client("ben").reviews({ limit: 3, ...at(cursor) }));
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(idsOf(pages)).toEqual(ids);
    const times = pages.flat().map(({ expiresAt }) => expiresAt ?? 0);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(await client("ben").countReviews()).toEqual({ count: 7, isOver: false });
  });

  it("ends with a page that is full, where nothing comes after it", async () => {
    const { items, next } = await client("ben").reviews({ limit: 7 });
    expect([items.length, next]).toEqual([7, null]);
  });

  it("is no other list for what came and went while it was read", async () => {
    const first = await client("ben").reviews({ limit: 3 });
    await client("ben").reject(ids[1] ?? "", "not now");
    const late = await proposed("ada", "a note that came late");
    const rest = await all((cursor) => client("ben").reviews({ limit: 3, cursor: cursor ?? first.next ?? "" }));
    expect(idsOf(rest)).toEqual([...ids.slice(3), late]);
    await client("ben").reject(late, "not now");
  });

  it("is of one capability or one kind alone where that is asked for", async () => {
    const worded = await proposed("ada", "a word", "word_note");
    expect((await client("ben").reviews({ capability: "word_note" })).items.map(({ id }) => id)).toEqual([worded]);
    expect((await client("ben").reviews({ state: "needs_person" })).items).toEqual([]);
    expect((await client("ben").reviews({ capability: "no_such" })).items).toEqual([]);
    await client("ben").reject(worded, "not now");
  });

  it("is counted and listed as far as one may see it", async () => {
    expect((await client("gus").reviews()).items).toEqual([]);
    expect(await client("gus").countReviews()).toEqual({ count: 0, isOver: false });
    const own = await proposed("cleo", "a note of the owner");
    expect((await client("ada").countReviews()).count).toBe((await client("ben").countReviews()).count - 1);
    expect((await client("ada").reviews({ limit: 200 })).items.map(({ id }) => id)).not.toContain(own);
  });
});

describe("decisions", () => {
  it("of one's own are listed newest first, and those of the tenant to who reviews or audits, each as far as they may", async () => {
    const mine = await all((cursor) => client("ada").decisions({ limit: 2, ...at(cursor) }));
    expect(idsOf(mine).slice(-7)).toEqual(ids.toReversed());
    expect(new Set(mine.flat().map(({ requestedBy }) => requestedBy))).toEqual(new Set(["ada"]));
    const answer = (await client("ada").ask({ text: "what is it?" })).intake.id;
    const ofAll = async (name: Name) =>
      idsOf(await all((cursor) => client(name).decisions({ of: "all", limit: 4, ...at(cursor) })));
    expect(await ofAll("audra")).toContain(answer);
    expect(await ofAll("ben")).toEqual(expect.arrayContaining(ids));
    // What was only looked up for somebody is no approver's business.
    expect(await ofAll("ben")).not.toContain(answer);
    expect(await ofAll("gus")).toEqual([]);
    for (const name of ["ada", "bot"] as const)
      await expect(client(name).decisions({ of: "all" })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("are of a state, a capability, a person and a time where that is asked for", async () => {
    const signed = await proposed("ada", "a note to sign");
    await client("ben").approve(signed);
    const found = async (of: Parameters<Client["decisions"]>[0]) =>
      idsOf([(await client("audra").decisions({ of: "all", ...of })).items]);
    expect(await found({ state: "signed" })).toEqual([signed]);
    expect(await found({ state: "rejected_by_person" })).toContain(ids[1]);
    expect(await found({ state: "waiting", person: "cleo" })).toHaveLength(1);
    expect(await found({ person: "ada", capability: "word_note" })).toHaveLength(1);
    expect(await found({ capability: "no_such" })).toEqual([]);
    const { at: time } = await client("audra").decision(signed);
    expect(await found({ from: time + 60_000 })).toEqual([]);
    expect(await found({ before: time - 3_600_000 })).toEqual([]);
    expect(await found({ from: time - 60_000, before: time + 60_000 })).toContain(signed);
  });

  it("of a state that is rare are found over several pages, however many others lie between", async () => {
    const waiting = await all((cursor) => client("audra").decisions({ of: "all", state: "waiting", limit: 2, ...at(cursor) }));
    expect(waiting.flat().every(({ state }) => state === "waiting")).toBe(true);
    expect(idsOf(waiting)).toEqual(expect.arrayContaining(ids.filter((id) => id !== ids[1])));
  });
});

describe("a cursor", () => {
  const foreign = Buffer.from(JSON.stringify(["x"])).toString("base64url");
  it.each(["x", "", "bm90IGpzb24", foreign, `${"A".repeat(3_000)}`, "..%2f"])(
    "that no list gave is refused: %j",
    async (cursor) => {
      for (const path of ["/reviews", "/decisions", "/cases"])
        expect(await call("ben", `${path}?cursor=${cursor}`)).toMatchObject({ status: 400, json: { code: "bad_request" } });
    },
  );

  it.each(["limit=0", "limit=-1", "limit=many", "limit=100000000"])(
    "goes with a limit that is made to fit: %s",
    async (query) => {
      expect((await call("ben", `/reviews?${query}`)).status).toBe(200);
    },
  );

  it.each(["state=none", "of=theirs", "from=yesterday", "person=ben", "colour=blue"])(
    "goes with no question that is not known: %s",
    async (query) => {
      expect(await call("ada", `/decisions?${query}`)).toMatchObject({ status: 400, json: { code: "bad_request" } });
      expect(house.faults).toEqual([]);
    },
  );
});

describe("what a proposal rests on", () => {
  it("is told by number to who reviews it, and not to whoever asked", async () => {
    const id = await proposed("ada", "a word", "word_note");
    const shown = await client("ben").evidence(id);
    expect(shown.items).toMatchObject([
      {
        number: 1,
        id: "notes.all:one",
        claims: [0],
        kind: "record",
        query: "notes.all",
        fields: [{ name: "note", value: "old" }],
      },
    ]);
    expect(shown.checks).toContainEqual({ name: "is_polite", passed: true, hard: true, evidence: "the words of it" });
    expect(JSON.stringify(shown)).not.toContain("4711");
    expect((await client("ada").evidence(id)).items).toEqual([]);
    await expect(client("gus").evidence(id)).rejects.toMatchObject({ code: "not_found" });
  });
});
