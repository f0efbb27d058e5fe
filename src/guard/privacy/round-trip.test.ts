import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeText, findForms, newKey, openTestBoundary, roundTrip, wholeText } from "../../../test/guard/privacy-samples.ts";
import { neverCancelled } from "../../contract/cancel.ts";
import type { Json } from "../../contract/json.ts";
import { dataClasses, type Finding } from "../../contract/privacy.ts";

const names = ["Jane Doe", "Tina", "Tina M", "Eric", "Anna-Lena Groß", "Іван Петренко", "J. R. van der Berg", "山田太郎", "Max"];

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
const value = fc.oneof(
  fc.constantFrom(...names, ...names.map((name) => name.toUpperCase()), ...names.map((name) => name.toLowerCase())),
  fc
    .tuple(digits(4), digits(4), digits(4), digits(4), fc.constantFrom("", " ", "-"))
    .map(([a, b, c, d, sign]) => [a, b, c, d].join(sign)),
  fc.tuple(digits(3), digits(3), digits(4)).map(([a, b, c]) => `(${a}) ${b}-${c}`),
  fc.tuple(digits(2), digits(3), digits(3), digits(3)).map(([a, b, c, d]) => `+${a} ${b} ${c} ${d}`),
  fc
    .tuple(fc.stringMatching(/^[A-Za-z]{1,8}(?:[+.][a-z]{1,5})?$/), fc.stringMatching(/^[a-z]{2,8}$/))
    .map(([a, b]) => `${a}@${b}.example`),
  fc.tuple(digits(3), digits(2), digits(4)).map((parts) => parts.join("-")),
  fc.tuple(digits(2), digits(4), digits(4), digits(4)).map(([a, b, c, d]) => `DE${a} ${b} ${c} ${d} ${b}`),
  fc
    .tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 }), digits(2))
    .map(([day, month, year]) => `${String(day).padStart(2, "0")}.${String(month).padStart(2, "0")}.19${year}`),
  fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.1.${a}.${b}`),
  fc.stringMatching(/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/),
);

/** What stands between: also what looks like a stand-in, and what could run into one. */
const between = fc.oneof(
  fc.constantFrom(
    " ",
    "  ",
    ", ",
    "\n",
    "-",
    "'s ",
    "",
    "\\n",
    "\\u00e4",
    "x",
    "5",
    "0",
    "00",
    "+",
    "+00",
    "q",
    "v",
    "@",
    ".",
    "(",
    ")",
    "/",
  ),
  fc.constantFrom(
    "Taqvirel ",
    "TAQVIREL Belqvanor",
    "taqvirel.07b2@example.invalid",
    "+00 012 345 678",
    "0001234567",
    "ZZ00 1234 5678 9012",
  ),
  fc.constantFrom(
    "241.1.2.3",
    "2931-11-07",
    "QV123456K",
    "06:c5:01:02:03:04",
    "70712345",
    "2001:db8:c5c5:1111:1111:1111:1111:1111",
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 5 }),
);

const assembled = fc.array(fc.oneof(value, between), { minLength: 1, maxLength: 16 }).map((parts) => parts.join(""));

describe("decode(encode(x)) = x", () => {
  it("for 10,000 texts put together from personal data and from what looks like a stand-in", async () => {
    await fc.assert(
      fc.asyncProperty(assembled, fc.string({ minLength: 32, maxLength: 32 }), async (text, key) => {
        const boundary = openTestBoundary({ names, key: newKey(key) });
        expect(wholeText(boundary, await encodeText(boundary, text))).toBe(text);
      }),
      { numRuns: 10_000 },
    );
  }, 300_000);

  it("for any value of JSON, with all leaves and keys that it has", async () => {
    const leaf = fc.oneof(
      assembled,
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
    );
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf.map((one): Json => (Object.is(one, -0) ? 0 : one)),
        fc.constantFrom(null, true, 4_111_111_111_111_111, -5_500_005_555_555_559),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(assembled, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.oneof(fc.string(), assembled), tree, { maxKeys: 5 }), async (payload) => {
        const plain = JSON.parse(JSON.stringify(payload)) as { readonly [key: string]: Json };
        expect(await roundTrip(openTestBoundary({ names }), plain)).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  }, 300_000);

  it("for any findings whatever in any text, and nothing of a value stays where it was found", async () => {
    const places = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 }), fc.constantFrom(...dataClasses), fc.nat(3)), {
      maxLength: 8,
    });
    const all = [{ class: "*", jurisdiction: "*", region: "*", treatment: "tokenise" }] as const;
    await fc.assert(
      fc.asyncProperty(fc.oneof(assembled, fc.string({ unit: "binary", maxLength: 60 })), places, async (text, found) => {
        const structured = (given: string): readonly Finding[] =>
          found
            .filter(([start, length]) => start + length <= given.length)
            .map(([start, length, of, canonical]) => ({
              ...{ start, end: start + length, class: of, kind: of, jurisdiction: null, canonical: `${canonical}` },
            }));
        const boundary = openTestBoundary({ structured, recogniser: null, rules: all });
        expect(wholeText(boundary, await encodeText(boundary, text))).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  }, 300_000);
});

it("changes nothing in a text that it has encoded, and decodes it all the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 8 }), assembled, async (values, glued) => {
      const boundary = openTestBoundary({ names });
      const text = values.join("; ");
      const once = await encodeText(boundary, text);
      const { payload } = await boundary.encode({ text: once, first: text }, neverCancelled);
      expect([payload.text, payload.first]).toEqual([once, once]);
      expect(wholeText(boundary, payload.text)).toBe(text);
      // Glued to other text, stand-ins may become part of something new that is found; they come back all the same.
      expect(wholeText(boundary, await encodeText(boundary, await encodeText(boundary, glued)))).toBe(glued);
    }),
    { numRuns: 300 },
  );
}, 300_000);

it("leaves no value in what is sent, wherever its text stands", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), fc.lorem({ maxCount: 6 }), async (values, prose) => {
      const boundary = openTestBoundary({ names });
      const payload = {
        a: values.join(`, ${prose}; `),
        b: values,
        c: Object.fromEntries(values.map((one) => [one, `(${one})`])),
      };
      const { payload: sent } = await boundary.encode(payload, neverCancelled);
      const text = JSON.stringify(sent);
      for (const one of values.filter((candidate) => findForms(candidate).length > 0 || names.includes(candidate))) {
        expect(
          new RegExp(`(?<![\\p{L}\\p{N}])${one.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "u").test(text),
        ).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
}, 300_000);

it("takes time in proportion to the text", async () => {
  const sizeOf = (count: number): string =>
    Array.from(
      { length: count },
      (_, at) => `Case ${at}: Jane Doe, c${at}@site.example, 4111 1111 ${1000 + (at % 9000)} 1111`,
    ).join("\n");
  // What grows is counted, since a busy machine makes no time the same twice: how often the key was asked, for how many signs.
  const workOf = async (count: number): Promise<number> => {
    const key = newKey("fixed");
    let work = 0;
    const mac = (text: string): Uint8Array => {
      work += 1;
      return key.mac(text);
    };
    const boundary = openTestBoundary({ names, key: { mac } });
    const text = sizeOf(count);
    expect(wholeText(boundary, await encodeText(boundary, text))).toBe(text);
    return work;
  };
  expect((await workOf(1_000)) / (await workOf(500))).toBeLessThan(2.3);
}, 60_000);

const soups = [
  "qv",
  "aqva ",
  "0",
  "0 ",
  "000 ",
  "+00 ",
  "zz00",
  "ZZ00 ",
  "241.",
  "2931-",
  "707",
  "06:c5:",
  "\\u0000",
  "@example.invalid",
  "Taqvirel ",
];

it.each(soups)("is not stalled by 50 KB of `%s`", async (soup) => {
  const text = soup.repeat(Math.ceil(50_000 / soup.length));
  const boundary = openTestBoundary({ names: ["Taqvirel Belqvan"], structured: () => [] });
  // Some hundredths of a second; what grew with the square would take minutes.
  const startedAt = performance.now();
  expect(wholeText(boundary, await encodeText(boundary, text))).toBe(text);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
