import { describe, expect, it } from "vitest";
import { openTestBoundary } from "../../../test/guard/privacy-samples.ts";
import { neverCancelled } from "../../contract/cancel.ts";
import type { Recogniser } from "../../contract/privacy.ts";

/** Finds a name in the one text that is nothing but it, as a tagger may that misses the other spellings. */
const finderOf = (name: string): Recogniser => ({
  name: "once",
  version: "1",
  find: async (texts) =>
    texts.map((text) =>
      text === name
        ? [{ start: 0, end: name.length, class: "person", kind: "name", jurisdiction: null, canonical: name.toLowerCase() }]
        : [],
    ),
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("a name of several words that was found once", () => {
  it.each([
    ["in other letter case", "JANE DOE and jane doe"],
    ["over lines", "Dear Jane\nDoe"],
    ["with several spaces", "Jane  \t Doe called"],
    ["with a space that does not break", "Jane\u00a0Doe"],
    ["with a Cyrillic letter", "J\u0430ne Doe"],
    ["with a letter of no width", "Ja\u200bne Doe"],
    ["in full-width letters", "\uff2a\uff41\uff4e\uff45 \uff24\uff4f\uff45"],
    ["escaped for a URL", "https://site.example/?n=Jane%20Doe&m=1"],
    ["escaped for a URL's form", "https://site.example/?n=Jane+Doe"],
    ["with an underscore", "invoice for Jane_Doe"],
    ["in a JSON text", '{"who":"Jane\\u0020Doe"}'],
    ["in HTML", "Jane&nbsp;Doe"],
    ["in base64", `see ${base64("Dear Jane Doe, thanks for all")}`],
  ])("is replaced %s", async (_, text) => {
    const boundary = openTestBoundary({ recogniser: finderOf("Jane Doe") });
    const payload = { name: "Jane Doe", text, [text]: 1 };
    const { payload: sent } = await boundary.encode(payload, neverCancelled);
    expect(sent.text).not.toBe(text);
    expect(JSON.stringify(sent)).not.toMatch(/jane|doe|SmFuZ|\uff24/i);
    expect(boundary.decodeJson(sent)).toEqual({ kind: "whole", value: payload });
  });

  it("leaves other words, parts of it and JSON Schemas as they are", async () => {
    const boundary = openTestBoundary({ recogniser: finderOf("Jane Doe") });
    const text = "Jane Does it; Mary Jane, Doe & Sons; janedoe";
    const jsonSchema = { description: "jane doe, as she writes it" };
    const request = { model: {}, purpose: "x", step: 0, attempt: 1, system: "Jane Doe", messages: [], jsonSchema, text };
    const { payload } = await boundary.encode(request, neverCancelled);
    expect(payload).toMatchObject({ text, jsonSchema });
  });

  it("is masked in all spellings under a rule that masks it", async () => {
    const rules = [{ class: "*", jurisdiction: "*", region: "*", treatment: "mask" }] as const;
    const boundary = openTestBoundary({ recogniser: finderOf("Jane Doe"), rules });
    const { payload } = await boundary.encode({ a: "Jane Doe", b: "JANE\nDOE, you" }, neverCancelled);
    expect(payload).toEqual({ a: "[person]", b: "[person], you" });
  });
});
