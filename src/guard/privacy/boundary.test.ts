import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  encodeText,
  findForms,
  newKey,
  openTestBoundary,
  recogniserOf,
  roundTrip,
  wholeText,
} from "../../../test/guard/privacy-samples.ts";
import { neverCancelled } from "../../contract/cancel.ts";

describe("what goes out", () => {
  it("replaces in messages, system prompt, tool arguments, results, keys and extras, and freezes it", async () => {
    const boundary = openTestBoundary({ names: ["Jane Doe"] });
    const payload = {
      system: "You answer Jane Doe.",
      messages: [{ role: "user", text: "mail jane@site.example" }],
      tools: [
        {
          arguments: { to: ["jane@site.example", { "Jane Doe": { card: "4111 1111 1111 1111" } }] },
          result: '{"who":"Jane Doe"}',
        },
      ],
      extras: { metadata: { user: "jane@site.example" } },
    };
    const { payload: sent, boundary: word } = await boundary.encode(payload, neverCancelled);
    expect(word).toBe("on");
    expect(JSON.stringify(sent)).not.toMatch(/jane|doe|4111/i);
    expect(Object.isFrozen(sent.messages[0])).toBe(true);
    expect(await roundTrip(boundary, payload)).toEqual(payload);
  });

  it("leaves the words of a provider's request alone, and the prose of its JSON Schema", async () => {
    // Somebody whose name is a word of JSON Schema.
    const known = (text: string) =>
      [...text.matchAll(/object|description/g)].map(({ 0: value, index: start }) => ({
        ...({ start, end: start + value.length, class: "person", kind: "known", jurisdiction: null, canonical: value } as const),
      }));
    const structured = (text: string) => [...findForms(text), ...known(text)];
    const boundary = openTestBoundary({ names: ["Jane", "user", "claude"], structured });
    const request = {
      model: { provider: "claude", id: "claude" },
      purpose: "decide",
      step: 0,
      attempt: 1,
      system: "Jane",
      messages: [{ role: "user", text: "Jane" }],
      jsonSchema: {
        type: "object",
        description: "What Jane wants",
        properties: { "jane@site.example": { maximum: 9007199254740991 } },
      },
    };
    const { payload } = await boundary.encode(request, neverCancelled);
    expect(payload.model).toEqual(request.model);
    expect(payload.messages[0]?.role).toBe("user");
    expect(payload.messages[0]?.text).toMatch(/^[A-Z]\w+qv\w+$/);
    expect(payload.jsonSchema).toMatchObject({ type: "object", description: "What Jane wants" });
    expect(JSON.stringify(payload.jsonSchema)).not.toContain("jane@site.example");
    expect(JSON.stringify(payload.jsonSchema)).toContain("9007199254740991");
  });

  it("says kinds, stand-ins and counts of what was replaced, and no value", async () => {
    const boundary = openTestBoundary({ names: ["Jane Doe"] });
    const { replaced } = await boundary.encode(
      { a: "Jane Doe and Jane Doe", b: "Jane Doe", c: "sk-abcdefghijklmnop1234" },
      neverCancelled,
    );
    expect(replaced).toEqual([
      { class: "person", kind: "name", treatment: "tokenise", standIn: expect.stringMatching(/^\w+ \w+$/), count: 3 },
      { class: "secret", kind: "secret", treatment: "mask", standIn: "[secret]", count: 1 },
    ]);
    expect(JSON.stringify(replaced)).not.toMatch(/jane|doe|sk-/i);
  });

  it("replaces everywhere what was found once, between borders of words", async () => {
    const names = recogniserOf(["Dr Eric Grey"]);
    const boundary = openTestBoundary({
      recogniser: {
        ...names,
        // Finds the name by its cue alone.
        find: async (texts, cancel) =>
          (await names.find(texts, cancel)).map((found) =>
            found.map((one) => ({ ...one, start: one.start + 3, canonical: "eric grey" })),
          ),
      },
    });
    const { payload } = await boundary.encode(
      { messages: ["Dr Eric Grey called.", "Eric Grey's bill; Eric Greyson's is another", "x\\nEric Grey"] },
      neverCancelled,
    );
    const [, second = "", third = ""] = payload.messages;
    expect(second).not.toMatch(/Eric Grey'/);
    expect(second).toContain("'s bill; Eric Greyson's");
    expect(third).toMatch(/^x\\n[A-Z]\w+ \w+$/);
  });

  it("gives a JSON number with personal data another number, of as many digits", async () => {
    const boundary = openTestBoundary();
    const payload = { card: 4_111_111_111_111_111, fraction: 0.5227687358856201, amount: 12 };
    const { payload: sent } = await boundary.encode(payload, neverCancelled);
    expect(typeof sent.card).toBe("number");
    expect(String(sent.card)).toHaveLength(16);
    expect(sent.card).not.toBe(payload.card);
    expect([sent.fraction, sent.amount]).toEqual([payload.fraction, payload.amount]);
    expect(await roundTrip(boundary, payload)).toEqual(payload);
    expect(wholeText(boundary, `the card ${sent.card} is blocked`)).toBe("the card 4111111111111111 is blocked");
  });

  it("sends nothing where the recogniser fails, answers for other texts or points outside of one, and quotes none", async () => {
    const failing = [
      async () => Promise.reject(new Error("cannot read `Jane Doe`")),
      async () => [],
      async () => [[{ start: 2, end: 99, class: "person", kind: "name", jurisdiction: null, canonical: "x" } as const]],
    ];
    for (const find of failing) {
      const boundary = openTestBoundary({ recogniser: { name: "broken", version: "1", find } });
      const thrown: unknown = await boundary.encode({ text: "Jane Doe" }, neverCancelled).catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: "service_unavailable" });
      expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain("Jane");
    }
  });

  it("refuses what is no plain JSON, and a cycle", async () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const payload of [cycle, { at: new Date(0) }, { big: 1n }, { map: new Map() }, { run: () => 1 }]) {
      await expect(openTestBoundary().encode(payload, neverCancelled)).rejects.toMatchObject({ code: "unserialisable" });
    }
  });
});

describe("the map", () => {
  it("shows in nothing that can be printed or written", async () => {
    const boundary = openTestBoundary({ names: ["Jane Doe"], key: newKey("a fixed key") });
    const sent = await boundary.encode({ text: "Jane Doe, jane@site.example" }, neverCancelled);
    const stream = boundary.openStream();
    stream.push("Taqv");
    for (const shown of [boundary, sent, stream, boundary.decodeText("Taqvirel"), boundary.encode, stream.push]) {
      const printed = [
        inspect(shown, { depth: 20, showHidden: true, getters: true }),
        String(JSON.stringify(shown)),
        String(shown),
      ];
      expect(printed.join()).not.toMatch(/jane|a fixed key/i);
    }
    expect(Reflect.ownKeys(boundary)).toEqual(["encode", "decodeText", "decodeJson", "openStream"]);
  });

  it("is another one for each of two users at the same time", async () => {
    const [one, other] = [openTestBoundary({ names: ["Jane Doe"] }), openTestBoundary({ names: ["Jane Doe", "Max Roe"] })];
    const [first, second] = await Promise.all([
      encodeText(one, "Jane Doe, a@b.example"),
      encodeText(other, "Jane Doe, a@b.example"),
    ]);
    const parts = (text: string): string[] => text.split(/[ ,]+/);
    expect(parts(first).filter((part) => parts(second).includes(part))).toEqual([]);
    expect(one.decodeText(second).kind).toBe("altered");
    expect(other.decodeText(first).kind).toBe("altered");
  });
});

describe("treatments", () => {
  const rulesFor = (treatment: "mask" | "hash" | "drop" | "allow") =>
    [{ class: "*", jurisdiction: "*", region: "*", treatment }] as const;

  it("masks by a word, hashes one way, drops, and lets through", async () => {
    const text = "Ask jane@site.example, or card 4111111111111111.";
    expect(await encodeText(openTestBoundary({ rules: rulesFor("mask") }), text)).toBe("Ask [email], or card [card].");
    expect(await encodeText(openTestBoundary({ rules: rulesFor("drop") }), text)).toBe("Ask , or card .");
    expect(await encodeText(openTestBoundary({ rules: rulesFor("allow") }), text)).toBe(text);
    const boundary = openTestBoundary({ rules: rulesFor("hash") });
    const hashed = await encodeText(boundary, "4111111111111111 4111-1111-1111-1111 5500005555555559");
    expect(hashed).toMatch(/^(\[card [0-9a-f]{6}\]) \1 (?!\1)\[card [0-9a-f]{6}\]$/);
    expect(wholeText(boundary, hashed)).toBe(hashed);
  });

  it("keeps two masked keys apart", async () => {
    const boundary = openTestBoundary({ rules: rulesFor("mask") });
    const { payload } = await boundary.encode({ "a@b.example": 1, "c@d.example": 2 }, neverCancelled);
    expect(payload).toEqual({ "[email]": 1, "[email] (2)": 2 });
  });

  it("takes the strictest treatment for what is found twice at one place", async () => {
    const boundary = openTestBoundary({
      rules: [
        { class: "*", jurisdiction: "*", region: "*", treatment: "tokenise" },
        { class: "email", jurisdiction: "*", region: "*", treatment: "mask" },
      ],
      names: ["jane"],
    });
    expect(await encodeText(boundary, "write to jane@site.example")).toBe("write to [email]");
  });

  it("keeps the order and the distances of dates where that is asked", async () => {
    const boundary = openTestBoundary({ dates: "in_order" });
    const dates = ["14.03.1975", "15.03.1975", "1980-01-01", "1999-12-31"];
    const { payload } = await boundary.encode({ dates }, neverCancelled);
    const days = payload.dates.map((text) => (/^\d{4}/.test(text) ? text : text.split(".").reverse().join("-")));
    const [first = 0, second = 0, third = 0, fourth = 0] = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 86_400_000);
    expect([second - first, fourth - third]).toEqual([1, 7_304]);
    expect(first < third).toBe(true);
    expect(days[0]).toMatch(/^2[6-9]/);
    expect(await roundTrip(boundary, { dates })).toEqual({ dates });
  });
});

it("makes findings of any finder exact: those that overlap, touch or run into their surroundings", async () => {
  const finder = (text: string) => [
    ...findForms(text),
    ...[...text.matchAll(/ABC|CDE|DEF|one|two/g)].map(({ 0: value, index: start }) => ({
      ...({ start, end: start + value.length, class: "person", kind: "name", jurisdiction: null, canonical: value } as const),
    })),
  ];
  const boundary = openTestBoundary({ structured: finder, recogniser: null });
  for (const text of ["ABCDEF", "onetwo", "xoney", "qoneqtwov", "two000one", "1.one.2", "DEF ABC@example.invalid"]) {
    const sent = await encodeText(boundary, text);
    expect(sent).not.toMatch(/ABC|CDE|one|two/);
    expect(wholeText(boundary, sent)).toBe(text);
  }
});
