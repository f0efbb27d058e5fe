import { describe, expect, it } from "vitest";
import { parseDocument, readDocuments } from "./documents.ts";

const head = [
  "id: a",
  "title: A",
  "version: 1",
  "owner: o",
  "status: current",
  "valid_from: 2026-01-01",
  "valid_to:",
  "scopes: tenant:all",
];
const text = (lines: readonly string[], body = "# A\n\n## One\nFirst.\n\n## Two\nSecond.\n") =>
  `---\n${lines.join("\n")}\n---\n${body}`;

describe("the demo's documents", () => {
  it("are a dozen in force for everybody, one for IT leads, an archived version and a draft", async () => {
    const documents = await readDocuments();
    const inForce = documents.filter(({ status }) => status === "current");
    expect(inForce).toHaveLength(14);
    expect(inForce.filter(({ scopes }) => scopes.includes("role:it-lead")).map(({ id }) => id)).toEqual(["purchase-limits"]);
    expect(documents.filter(({ status }) => status === "draft").map(({ id }) => id)).toEqual(["assistant-programs"]);
    const versions = documents.filter(({ id }) => id === "device-policy").map(({ version, status }) => `${version} ${status}`);
    expect(versions.sort()).toEqual(["2.0 archived", "3.1 current"]);
    for (const { passages } of documents) {
      expect(passages.length).toBeGreaterThanOrEqual(3);
      expect(passages.length).toBeLessThanOrEqual(8);
      expect(passages.every((passage) => passage.section !== "" && passage.text !== "")).toBe(true);
    }
  });

  it("become passages by section, numbered from 1", () => {
    expect(parseDocument("a.md", text(head))).toMatchObject({
      id: "a",
      validTo: null,
      scopes: ["tenant:all"],
      passages: [
        { position: 1, section: "One", text: "First." },
        { position: 2, section: "Two", text: "Second." },
      ],
    });
  });

  it("take an empty list of scopes for nobody", () => {
    expect(parseDocument("a.md", text(head.with(-1, "scopes:"))).scopes).toEqual([]);
  });

  it.each([
    ["no front matter", "# A\n\n## One\nFirst.\n", "no front matter"],
    ["a missing field", text(head.slice(0, -1)), "`scopes`"],
    ["an unknown status", text(head.with(4, "status: valid")), "`valid`"],
    ["no section", text(head, "# A\n\nOnly text.\n"), "no section"],
  ])("are refused with %s, naming the file", (_what, broken, said) => {
    expect(() => parseDocument("a.md", broken)).toThrow(said);
    expect(() => parseDocument("a.md", broken)).toThrow("`a.md`");
  });
});
