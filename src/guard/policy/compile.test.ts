import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compilePolicies } from "./compile.ts";
import { openPolicy } from "./policy.ts";
import { schemaFile } from "./policy-text.ts";

const schema = { file: schemaFile, text: readFileSync(new URL(`../../../policies/${schemaFile}`, import.meta.url), "utf8") };
const good = `// Everybody.\n@id("all")\npermit (principal, action == Action::"stop", resource);\n`;
const compiled = (text: string, file = "own.cedar") => compilePolicies([schema, { file, text }]);

describe("policies that cannot be used", () => {
  it.each([
    ["that do not parse", `${good}\npermit (principal action, resource);`, 5, /unexpected token/],
    [
      "with an attribute that there is not",
      `${good}@id("b")\npermit (principal, action == Action::"stop", resource)\nwhen { principal.age == 1 };`,
      6,
      /`age`/,
    ],
    [
      "with an attribute that may be absent",
      `@id("b")\npermit (principal, action == Action::"sign", resource)\nwhen { resource.risk == "low" };`,
      3,
      /optional/,
    ],
    [
      "about an action that there is not",
      `@id("b")\npermit (principal, action == Action::"delete", resource);`,
      2,
      /unrecognized action/,
    ],
    [
      "that can never apply",
      `@id("b")\npermit (principal is Tool, action == Action::"stop", resource);`,
      1,
      /unable to find an applicable action/,
    ],
    ["without an id", `// No id.\npermit (principal, action == Action::"stop", resource);`, 2, /no usable id/],
    [
      "with an id that is no word",
      `@id("Not a word")\npermit (principal, action == Action::"stop", resource);`,
      1,
      /no usable id/,
    ],
    ["with an id that is taken", `${good}${good}`, 5, /id `all` of `own.cedar:2`/],
  ])("%s are refused with file and line", (_what, text, line, message) => {
    const attempt = () => compiled(text);
    expect(attempt).toThrow(expect.objectContaining({ code: "policy_invalid", facts: { file: "own.cedar", line } }));
    expect(attempt).toThrow(message);
  });

  it("are refused where an id is taken in another file", () => {
    const texts = [schema, { file: "a.cedar", text: good }, { file: "b.cedar", text: good }];
    expect(() => compilePolicies(texts)).toThrow(expect.objectContaining({ facts: { file: "b.cedar", line: 2 } }));
  });

  it("are refused as templates", () => {
    const text = `@id("t")\npermit (principal == ?principal, action == Action::"stop", resource);`;
    expect(() => compiled(text)).toThrow(expect.objectContaining({ code: "policy_invalid" }));
  });

  it("are refused without the schema, with a broken one and with a second one", () => {
    const own = { file: "own.cedar", text: good };
    const broken = { file: schemaFile, text: "entity Principal;\nentity" };
    const second = { file: "more.cedarschema", text: "entity More;" };
    expect(() => compilePolicies([own])).toThrow(expect.objectContaining({ code: "policy_invalid" }));
    expect(() => compilePolicies([broken, own])).toThrow(expect.objectContaining({ facts: { file: schemaFile, line: 2 } }));
    expect(() => compilePolicies([schema, second, own])).toThrow(expect.objectContaining({ code: "policy_invalid" }));
  });
});

describe("a policy's version", () => {
  it("is the same for the same files in any order, and another for any other text", () => {
    const [a, b] = [
      { file: "a.cedar", text: good },
      { file: "b.cedar", text: "" },
    ];
    const version = openPolicy({ texts: [schema, a, b] }).version;
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    expect(openPolicy({ texts: [b, a, schema] }).version).toBe(version);
    expect(openPolicy({ texts: [schema, { ...a, text: `${good}\n` }, b] }).version).not.toBe(version);
    expect(openPolicy({ texts: [schema, { ...a, file: "c.cedar" }, b] }).version).not.toBe(version);
  });
});
