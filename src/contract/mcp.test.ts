import { describe, expect, it } from "vitest";
import { type McpDefinition, mcpClassOf, mcpPinOf, readMcpDefinition, readMcpPins } from "./mcp.ts";

const search = { name: "search", inputSchema: { type: "object" } };
const hinted = (annotations: unknown) => mcpClassOf({ ...search, annotations } as McpDefinition); // as a server may say it

describe("what a server says of what its tool changes", () => {
  it.each<[unknown, string]>([
    [undefined, "unsaid"],
    [{}, "unsaid"],
    [{ readOnlyHint: true }, "reads"],
    [{ readOnlyHint: true, destructiveHint: false }, "reads"],
    [{ destructiveHint: false }, "unsaid"],
    [{ readOnlyHint: false }, "changes"],
    [{ destructiveHint: true }, "changes"],
    [{ readOnlyHint: true, destructiveHint: true }, "changes"],
    [{ readOnlyHint: "true" }, "changes"],
    [{ readOnlyHint: true, destructiveHint: "false" }, "changes"],
  ])("of %o is %s", (annotations, said) => {
    expect(hinted(annotations)).toBe(said);
  });
});

describe("a definition", () => {
  it("is six members of what the server says; one that is null is none", () => {
    const said = { ...search, title: null, icons: [], _meta: { a: 1 }, execution: {} };
    expect(readMcpDefinition(said)).toEqual(search);
  });

  it.each([[null], ["search"], [{}], [{ name: "search" }], [{ ...search, name: "" }], [{ ...search, description: 7 }]])(
    "is not %o",
    (said) => {
      expect(readMcpDefinition(said)).toBe(null);
    },
  );

  it.each([
    ["text that cannot be kept", { ...search, description: "\ud800" }],
    ["too long a text", { ...search, description: "x".repeat(20_001) }],
    ["a schema that is a list", { ...search, inputSchema: [] }],
  ])("has no %s", (_, said) => {
    expect(readMcpDefinition(said)).toBe(null);
  });
});

describe("pins", () => {
  const pin = { digest: "0".repeat(64), definition: search };
  const pins = readMcpPins({ version: 1, servers: { tracker: { search: pin } } });

  it("are found by server and tool, and by no member of an object", () => {
    expect(mcpPinOf(pins, { server: "tracker", tool: "search" })).toEqual(pin);
    for (const tool of ["note", "constructor", "__proto__"]) expect(mcpPinOf(pins, { server: "tracker", tool })).toBe(null);
    expect(mcpPinOf(pins, { server: "toString", tool: "search" })).toBe(null);
  });

  it.each([
    [null],
    [{ version: 1 }],
    [{ version: 1, servers: {}, more: 1 }],
    [{ version: 1, servers: { tracker: { search: { ...pin, digest: "0" } } } }],
    [{ version: 1, servers: { tracker: { search: { ...pin, definition: { ...search, icons: [] } } } } }],
  ])("are not %o", (given) => {
    expect(() => readMcpPins(given)).toThrow(expect.objectContaining({ code: "definition_invalid" }));
  });
});
