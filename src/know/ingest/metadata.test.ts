import { describe, expect, test } from "vitest";
import type { FolderSource } from "../../contract/document-source.ts";
import { UnreadableFile } from "./faults.ts";
import { attributesOf, idOfPath, readMetadata } from "./metadata.ts";

const source: FolderSource = {
  ...{ name: "handbook", tenants: "all", folder: "documents", owner: "it", collection: "documents", isAuthority: false },
  ...{ scopes: ["role:it", "role:hr"], status: "current", validFrom: 0, validTo: null, freshWithinMs: 60_000 },
};
const contentHash = "0123456789abcdef".repeat(4);
const attributes = (text: string, from = source) =>
  attributesOf({ source: from, path: "a/b c.md", metadata: readMetadata(text), contentHash });

function failure(work: () => unknown): { fault: string; message: string } {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) return { fault: thrown.fault, message: thrown.message };
    throw thrown;
  }
  throw new Error("nothing was wrong");
}

describe("what a file says of itself", () => {
  test("goes before what its source says; versions and numbers stay text, and the last day counts", () => {
    const text =
      "id: policy\ntitle: Policy\nversion: 2.0\nowner: legal\nvalid_from: 2026-01-01\nvalid_to: 2026-12-31\nscopes: role:hr\nauthority: true\nmetadata:\n  region: eu\n";
    expect(attributes(text)).toEqual({
      ...{ id: "policy", title: "Policy", version: "2.0", owner: "legal", collection: "documents", source: "handbook" },
      ...{ status: "current", supersededBy: null, isAuthority: true, scopes: ["role:hr"], metadata: { region: "eu" } },
      ...{ validFrom: Date.UTC(2026, 0, 1), validTo: Date.UTC(2027, 0, 1) },
    });
  });

  test("leaves what it does not say to the source; an empty value says nothing", () => {
    expect(attributes("valid_to:\ntitle: ''\n")).toMatchObject({
      ...{ id: "a.b-c", version: "0123456789ab", title: null, owner: "it", scopes: ["role:it", "role:hr"], validTo: null },
    });
  });

  test.each([
    ["an unknown key, by its name", "titel: x", "bad_metadata", "`titel`"],
    ["an id that is none", "id: A B", "bad_metadata", "`id`"],
    ["a day that there is not", "valid_from: 2026-02-31", "bad_metadata", "`valid_from`"],
    ["an end before its beginning", "valid_from: 2026-02-01\nvalid_to: 2026-01-01", "bad_metadata", "ends before"],
    ["a status that is none", "status: final", "bad_metadata", "`status`"],
    ["a successor of what is current", "superseded_by: '2'\nstatus: current", "bad_metadata", "superseded_by"],
    ["what is no YAML", "a: [", "bad_metadata", "no YAML"],
    ["a list", "- a", "bad_metadata", ""],
    ["a tower of aliases", `a: &a [x]\n${"b: *a\n".repeat(2)}`, "bad_metadata", ""],
    ["a label that its source is not open to", "scopes: role:it, role:everyone", "wider_access", "`role:everyone`"],
  ])("refuses %s", (_, text, fault, words) => {
    expect(failure(() => attributes(text))).toMatchObject({ fault, message: expect.stringContaining(words) });
  });

  test("may narrow the whole tenant to any label, and close a file to everybody", () => {
    const whole = { ...source, scopes: ["tenant:all"] };
    expect(attributes("scopes: [role:ceo]", whole).scopes).toEqual(["role:ceo"]);
    expect(attributes("scopes: []", whole).scopes).toEqual([]);
  });

  test("is JSON too", () => {
    expect(readMetadata('{"id":"x","authority":"false"}')).toEqual({ id: "x", authority: "false" });
  });
});

test.each([
  ["Terms/Refunds 2024.md", "terms.refunds-2024"],
  ["M\u00fcnchen & Umgebung.txt", "munchen-umgebung"],
  ["a__b/.x/c.d.pdf", "a__b.x.c.d"],
])("makes an id of the path %s", (path, id) => {
  expect(idOfPath(path)).toBe(id);
});

test.each(["\u65e5\u672c.md", `${"long".repeat(20)}.md`])("asks for an id where the path %s makes none", (path) => {
  expect(failure(() => idOfPath(path)).fault).toBe("bad_metadata");
});
