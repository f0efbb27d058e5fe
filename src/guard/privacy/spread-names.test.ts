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
    expect(boundary.decodeJson(JSON.parse(JSON.stringify(sent)))).toEqual({ kind: "whole", value: payload });
  });

  it.each([
    ["with the family name first", "Doe, Jane and DOE, JANE", /^(\S+), (\S+) and \1, \2$/i],
    ["as the name of an account", "/home/jane.doe/x and @jane_doe", /^\/home\/\S+qv\S+\.\S+\/x and @\S+qv\S+_\S+$/],
    ["in a handle with the family name first", "doe.jane or doe_jane", /^\S+\.\S+ or \S+_\S+$/],
    ["in the name of a page", "people/jane-doe.html", /^people\/\w+-\w+\.html$/],
    ["with an initial", "J. Doe, see J. Doe", /^\w+ \w+, see \w+ \w+$/],
    ["before an at sign", "jdoe@ and j.doe@ and janedoe@ here", /@ and .*@ and .*@ here$/],
    ["with the family name first and no comma", "Doe Jane, DOE JANE", /^(\S+) (\S+), \1 \2$/i],
    ["with an initial that has no dot", "J Doe and J DOE", /^\w+ \w+ and \w+ \w+$/],
    ["with an initial behind the family name", "Doe J. and Doe, J. and Doe J", /^\w+ \w+[.] and \w+ \w+[.] and \w+ \w+$/],
    ["behind an at sign", "(@jdoe) @JaneDoe", /^\(@\w+\) @\w+$/],
  ])("is replaced %s", async (_, text, form) => {
    const boundary = openTestBoundary({ recogniser: finderOf("Jane Doe") });
    const payload = { name: "Jane Doe", text };
    const { payload: sent } = await boundary.encode(payload, neverCancelled);
    expect(sent.text).toMatch(form);
    expect(sent.text).not.toMatch(/jane|doe/i);
    expect(boundary.decodeJson(JSON.parse(JSON.stringify(sent)))).toEqual({ kind: "whole", value: payload });
  });

  it("has the words of its own stand-in in other orders, so that a model knows whom it is about", async () => {
    const boundary = openTestBoundary({ recogniser: finderOf("Jane Doe") });
    const { payload } = await boundary.encode({ name: "Jane Doe", other: "Doe, Jane", handle: "jane.doe" }, neverCancelled);
    const [first = "", last = ""] = payload.name.split(" ");
    expect(payload).toMatchObject({ other: `${last}, ${first}`, handle: `${first}.${last}`.toLowerCase() });
  });

  it("is replaced without its middle name as well", async () => {
    const boundary = openTestBoundary({ recogniser: finderOf("Jane Mary Doe") });
    const payload = { name: "Jane Mary Doe", text: "Jane Doe; Doe, Jane; jane.doe; Doe, Jane Mary; jane_mary_doe" };
    const { payload: sent } = await boundary.encode(payload, neverCancelled);
    expect(sent.text).not.toMatch(/jane|mary|doe/i);
    expect(boundary.decodeJson(JSON.parse(JSON.stringify(sent)))).toEqual({ kind: "whole", value: payload });
  });

  it.each([
    ["Dr. Jane Roe", "Jane Roe; JANE ROE; Roe, Jane; Roe, Dr. Jane; J. Roe; J Roe; jane.roe / j.roe@ or @jroe; Roe Jane"],
    ["Ms Mary Roe", "Mary Roe; Roe, Mary; mary_roe.pdf; Mary+Roe; M. Roe"],
    ["Prof. Dr. Jane Roe", "Jane Roe; Roe, Jane; Roe J."],
    ["Jane Roe, PhD", "Jane Roe; Roe, Jane; jane-roe"],
    ["Jane Roe Jr.", "Jane Roe; Roe, Jane; J. Roe"],
    ["Roe, Jane", "Jane Roe; jane.roe; J. Roe; JANE ROE"],
    ["Roe, Dr. Jane", "Jane Roe; Dr. Jane Roe; jane_roe"],
    ["Don Mary Roe", "Mary Roe; Roe, Mary; Don Roe; D. Roe"],
    ["Jane van Roe", "van Roe, Jane; Jane Roe; Roe, Jane van"],
  ])("is replaced without its title: %s", async (name, text) => {
    const boundary = openTestBoundary({ recogniser: finderOf(name) });
    const payload = { name, text };
    const { payload: sent } = await boundary.encode(payload, neverCancelled);
    expect(sent.text).not.toMatch(/jane|mary|roe/i);
    expect(sent.text.replaceAll(/[^;]/g, "")).toBe(text.replaceAll(/[^;]/g, ""));
    expect(boundary.decodeJson(JSON.parse(JSON.stringify(sent)))).toEqual({ kind: "whole", value: payload });
  });

  it("is one person in all of its spellings, whichever of them a recogniser finds as well", async () => {
    const boundary = openTestBoundary({ names: ["Dr. Helga Brandt", "Brandt, Helga", "helga.brandt", "Helga Brandt"] });
    const text = "Dr. Helga Brandt asked; helga_brandt.pdf; Brandt, Helga; helga.brandt@ the desk; Helga Brandt; H. Brandt";
    const { payload } = await boundary.encode([text], neverCancelled);
    const [, first = "", last = ""] = /^\S+ (\S+) (\S+) asked/.exec(payload[0] ?? "") ?? [];
    const small = [first.toLowerCase(), last.toLowerCase()] as const;
    expect(payload[0]).toContain(
      `asked; ${small.join("_")}.pdf; ${last}, ${first}; ${small.join(".")}@ the desk; ${first} ${last}; `,
    );
    expect(payload[0]).not.toMatch(/helga|brandt/i);
    expect(boundary.decodeText(payload[0] ?? "")).toEqual({ kind: "whole", value: text });
  });

  it("keeps the strictest treatment where one spelling of it is to be masked", async () => {
    const rules = [
      { class: "*", jurisdiction: "*", region: "*", treatment: "tokenise" },
      { class: "person", jurisdiction: "de", region: "*", treatment: "mask" },
    ] as const;
    const find: Recogniser["find"] = async (texts) =>
      texts.map((text) => {
        const jurisdiction = text.includes(",") ? "de" : null;
        return [{ start: 0, end: text.length, class: "person", kind: "name", jurisdiction, canonical: text.toLowerCase() }];
      });
    const boundary = openTestBoundary({ recogniser: { name: "all", version: "1", find }, rules });
    const { payload } = await boundary.encode(["Jane Doe", "Doe, Jane"], neverCancelled);
    expect(payload.join()).not.toMatch(/qv/i);
  });

  it.each([
    ["Ian Will", "I will; will I be; Will I; where there is a will, I"],
    ["Jane Page", "see page j and page j. of it; the page jane wrote"],
    ["Grant Will", "it will grant leave\nWill\nGrant"],
    ["Ms Poe", "poe, ms. poe.ms"],
  ])("leaves ordinary words alone in spellings without a comma or a dot: %s", async (name, text) => {
    const boundary = openTestBoundary({ recogniser: finderOf(name) });
    const { payload } = await boundary.encode({ name, text }, neverCancelled);
    expect(payload.text).toBe(text);
  });

  it("leaves words alone that only end like it behind an initial", async () => {
    const boundary = openTestBoundary({ recogniser: finderOf("Steve Pain") });
    const text = "Spain, spain. pain; stevepain";
    const { payload } = await boundary.encode({ name: "Steve Pain", text }, neverCancelled);
    expect(payload.text).toBe(text);
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
