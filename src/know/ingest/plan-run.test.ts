import { describe, expect, test } from "vitest";
import type { Seen } from "./examine.ts";
import type { FileFault } from "./faults.ts";
import { type FileRow, planRun } from "./plan-run.ts";
import type { ShelvedDocument } from "./shelf.ts";

type Good = Extract<Seen, { kind: "good" }>;

function good(path: string, { id = path, version = "1", hash = "h1", scopes = ["a"] } = {}): Good {
  const attributes = {
    id,
    version,
    scopes,
    title: null,
    collection: "documents",
    owner: "it",
    source: "s",
    metadata: {},
  } as const;
  const dates = { status: "current", supersededBy: null, isAuthority: false, validFrom: 0, validTo: null } as const;
  const file = { path, format: "text", place: `/${path}`, beside: null } as const;
  return { kind: "good", file, contentHash: hash, attributes: { ...attributes, ...dates }, attributesHash: "x" };
}
const faulty = (path: string, fault: FileFault): Seen => ({ kind: "faulty", path, contentHash: null, fault, detail: "" });
function row(path: string, { id = path, version = "1", hash = "h1" } = {}): FileRow {
  const document = { id, version };
  return { path, contentHash: hash, attributesHash: "x", document, passages: 1, fault: null, detail: null };
}
const shelved = (id: string, { version = "1", hash = "h1", scopes = ["a"], passages = 1 } = {}): ShelvedDocument => {
  return { id, version, contentHash: hash, scopes, passages };
};
const filed = (plan: ReturnType<typeof planRun>) =>
  plan.file.map(({ seen, replaces }) => [seen.file.path, replaces.map(({ id }) => id)]);

describe("what a run has to do", () => {
  test("is nothing for what is filed as it is", () => {
    expect(planRun({ seen: [good("a")], rows: [row("a")], shelf: [shelved("a")] })).toEqual({
      ...{ remove: [], rescope: [], file: [], faults: [], unchanged: ["a"], forget: [] },
    });
  });

  test.each([
    ["other content", { shelf: [shelved("a", { hash: "h0" })], rows: [row("a", { hash: "h0" })] }],
    ["a passage lost in the index", { shelf: [shelved("a", { passages: 0 })], rows: [row("a")] }],
    ["a document lost in the index", { shelf: [], rows: [row("a")] }],
    ["attributes that changed", { shelf: [shelved("a")], rows: [{ ...row("a"), attributesHash: "old" }] }],
    ["nothing remembered of it", { shelf: [shelved("a")], rows: [] }],
  ])("files a file again for %s", (_, known) => {
    expect(filed(planRun({ seen: [good("a")], ...known }))).toEqual([["a", []]]);
  });

  test("takes out what no file is any more, and forgets its file", () => {
    const plan = planRun({ seen: [good("a")], rows: [row("a"), row("b")], shelf: [shelved("a"), shelved("b")] });
    expect(plan).toMatchObject({ remove: [{ id: "b" }], forget: ["b"], file: [] });
  });

  test("keeps what a file was until it is filed as something else, unless another file is that now", () => {
    const shelf = [shelved("one"), shelved("two")];
    const rows = [row("p", { id: "one" }), row("q", { id: "two" })];
    const renamed = planRun({ seen: [good("p", { id: "new" }), good("q", { id: "two" })], rows, shelf });
    expect([filed(renamed), renamed.remove]).toEqual([[["p", ["one"]]], []]);
    const swapped = planRun({ seen: [good("p", { id: "two" }), good("q", { id: "one" })], rows, shelf });
    expect(swapped.remove).toEqual([]);
    expect(new Set(filed(swapped).map(([path]) => path))).toEqual(new Set(["p", "q"]));
    expect(filed(swapped).every(([, replaces]) => replaces?.length === 0)).toBe(true);
  });

  test("changes who may see a document at once, also where its file has to be read", () => {
    const known = { rows: [row("a", { hash: "h0" })], shelf: [shelved("a", { hash: "h0", scopes: ["a", "b"] })] };
    expect(planRun({ seen: [good("a")], ...known })).toMatchObject({ rescope: [{ id: "a", scopes: ["a"] }], file: [{}] });
  });

  test("gives a document to one of two files, the one that has it", () => {
    const seen = [good("a", { id: "same" }), good("b", { id: "same" })];
    const plan = planRun({ seen, rows: [row("b", { id: "same" })], shelf: [shelved("same")] });
    expect(plan).toMatchObject({ unchanged: ["b"], faults: [{ path: "a", fault: "id_taken" }], remove: [] });
  });

  test("concludes nothing from what could not be looked at: a file, or a folder with what was in it", () => {
    const seen = [faulty("dir", "unreachable"), faulty("c", "changing")];
    const rows = [row("dir/a"), row("c"), row("e")];
    const plan = planRun({ seen, rows, shelf: [shelved("dir/a"), shelved("c"), shelved("e")] });
    expect(plan).toMatchObject({ remove: [{ id: "e" }], forget: ["e"] });
  });

  test("takes out what a broken file said, and does not read it again until it changes", () => {
    const seen = [faulty("a", "bad_metadata")];
    expect(planRun({ seen, rows: [row("a")], shelf: [shelved("a")] })).toMatchObject({ remove: [{ id: "a" }], forget: [] });
    const known = { ...row("b"), document: null, fault: "broken" };
    expect(planRun({ seen: [good("b")], rows: [known], shelf: [] })).toMatchObject({ file: [], unchanged: ["b"] });
    expect(filed(planRun({ seen: [good("b", { hash: "h2" })], rows: [known], shelf: [] }))).toEqual([["b", []]]);
  });

  test("reads a file again that could not be read the last time, whatever is remembered of it", () => {
    const known = { ...row("a"), document: null, passages: null, fault: "not_read" };
    expect(filed(planRun({ seen: [good("a")], rows: [known], shelf: [] }))).toEqual([["a", []]]);
  });
});
