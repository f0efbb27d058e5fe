import { describe, expect, it } from "vitest";
import { encodeText, findForms, newKey, openTestBoundary, recogniserOf, wholeText } from "../../../test/guard/privacy-samples.ts";
import { neverCancelled } from "../../contract/cancel.ts";
import type { Finding } from "../../contract/privacy.ts";
import type { Boundary } from "./boundary.ts";

const names = ["Jane Doe", "Tina", "Tina M", "Eric", "Acme Trading Ltd"];

describe("what a model does to stand-ins", () => {
  it("changes the case of one, puts it in brackets, adds a possessive, or says the first name alone", async () => {
    const boundary = openTestBoundary({ names });
    const standIn = await encodeText(boundary, "Jane Doe");
    const [first = "", second = ""] = standIn.split(" ");
    expect(wholeText(boundary, standIn.toUpperCase())).toBe("Jane Doe");
    expect(wholeText(boundary, `[${standIn.toLowerCase()}] (${standIn}) <${standIn}>`)).toBe("[Jane Doe] (Jane Doe) <Jane Doe>");
    expect(wholeText(boundary, `${standIn}'s case, ${standIn}’s`)).toBe("Jane Doe's case, Jane Doe’s");
    expect(wholeText(boundary, `Dear ${first}, dear Ms ${second}!`)).toBe("Dear Jane, dear Ms Doe!");
  });

  it("groups the digits of a phone or a card in a way of its own", async () => {
    const boundary = openTestBoundary();
    const [phone = "", card = ""] = (await encodeText(boundary, "+49 170 123 456|4111 1111 1111 1111")).split("|");
    const digits = (text: string): string => text.replaceAll(/\D/g, "");
    expect(wholeText(boundary, `+${digits(phone)}`)).toBe("+49 170 123 456");
    expect(wholeText(boundary, `+${digits(phone).slice(0, 4)}-(${digits(phone).slice(4, 6)}) ${digits(phone).slice(6)}.`)).toBe(
      "+49 170 123 456.",
    );
    expect(wholeText(boundary, digits(card))).toBe("4111 1111 1111 1111");
    expect(wholeText(boundary, digits(card).replace(/^(.{6})(.{5})/, "$1-$2-"))).toBe("4111 1111 1111 1111");
  });

  it.each([
    ["a name of ours with another letter", (sent: string) => sent.replace(/qv./, (mark) => (mark.endsWith("a") ? "qve" : "qva"))],
    ["a name of ours with spaces lost", (sent: string) => sent.replace(/ (?=\w+qv)/, "")],
    ["a made-up name", () => "Dear Zaqvilor"],
    ["a made-up address", () => "write to help@example.invalid"],
    ["a made-up phone", () => "call +00 012 345 678"],
    ["a made-up account", () => "account ZZ00 1234 5678 9012 3456"],
    [
      "a digit changed in a card",
      (sent: string) => sent.replace(/(000\d [\d ]+)(\d)/, (_, start, digit) => `${start}${(Number(digit) + 1) % 10}`),
    ],
    [
      "a date moved by a day",
      (sent: string) =>
        sent.replace(/(\d\d)\.(\d\d)\.(29\d\d)/, (_, day, month, year) => `${day === "01" ? "02" : "01"}.${month}.${year}`),
    ],
  ])("says that %s was altered, and quotes nothing", async (_, change) => {
    const boundary = openTestBoundary({ names });
    const sent = await encodeText(boundary, "Jane Doe, card 4111 1111 1111 1111, born 14.03.1975");
    const decoded = boundary.decodeText(change(sent));
    expect(decoded).toMatchObject({
      kind: "altered",
      problem: expect.stringMatching(/^the reply holds a stand-in that was not in the request/),
    });
    expect(JSON.stringify(decoded)).not.toMatch(/qv|Jane|4111|0{3}|1975/i);
    expect(boundary.decodeJson({ a: [change(sent)] }).kind).toBe("altered");
    expect(boundary.decodeJson({ [change(sent)]: 1 }).kind).toBe("altered");
  });

  it("says numbers, dates and words of its own without being taken for one who makes stand-ins up", async () => {
    const boundary = openTestBoundary({ names });
    await encodeText(boundary, "Jane Doe, card 4111 1111 1111 1111, born 14.03.1975, 10.1.2.3");
    const own =
      "1 000 000 000 or 1,000,000 and 10.000.000,00; 0000-00-00; 00:00:00; 255.255.255.0; QVC, Qv; 2024-11-30; #000000; 0.0001234567";
    expect(wholeText(boundary, own)).toBe(own);
  });

  it.each(["scattered", "in_order"] as const)(
    "writes a date of birth in another way that says the same day, %s",
    async (dates) => {
      const { boundary, day } = await dayOfOneDigit(dates);
      const say = (of: string): string => writtenWays(of).join("; ");
      expect(wholeText(boundary, say(day))).toBe(say("1975-03-14"));
      expect(wholeText(boundary, say(day).toUpperCase())).toContain("14 March 1975");
      const [y, m, d = ""] = day.split("-");
      // Which of the two is the month nobody can tell, and another day is another day.
      expect(boundary.decodeText(`born ${m}/${d}/${y}`).kind).toBe("altered");
      expect(boundary.decodeText(`born ${y}-${m}-${d === "01" ? "02" : "01"}`).kind).toBe("altered");
    },
  );

  it("keeps each spelling of one day that the request itself has", async () => {
    const boundary = openTestBoundary({ structured: (text) => findDates(text) });
    const text = `born ${writtenWays("1975-03-14").join(" or ")} or 03/14/1975.`;
    const sent = await encodeText(boundary, text);
    expect(sent).not.toContain("1975");
    expect(wholeText(boundary, sent)).toBe(text);
  });

  it("invents a number where a JSON number had a stand-in", async () => {
    const boundary = openTestBoundary();
    const { payload } = await boundary.encode({ card: 4_111_111_111_111_111 }, neverCancelled);
    expect(boundary.decodeJson({ card: payload.card })).toEqual({ kind: "whole", value: { card: 4_111_111_111_111_111 } });
    expect(boundary.decodeJson({ card: payload.card + 1 }).kind).toBe("altered");
    expect(boundary.decodeJson({ card: 12 })).toEqual({ kind: "whole", value: { card: 12 } });
  });
});

describe("what looks like a stand-in in the request itself", () => {
  it("is no alteration in the reply, and is nobody's value", async () => {
    const boundary = openTestBoundary({ names });
    const planted = "Taqvirel Belqvanor, taqvirel.07b2@example.invalid, +00 012 345 678, 0004111111111111";
    const sent = await encodeText(boundary, `Jane Doe. ${planted} qvqvqv`);
    expect(wholeText(boundary, "I saw Taqvirel Belqvanor, as you said.")).toBe("I saw Taqvirel Belqvanor, as you said.");
    expect(wholeText(boundary, sent)).toBe(`Jane Doe. ${planted} qvqvqv`);
  });

  it("cannot be made the stand-in of somebody: what would be drawn like it is drawn again", async () => {
    const key = newKey("an attacker who has the key draws no better");
    const drawn = await encodeText(openTestBoundary({ names, key }), "Jane Doe, 4111 1111 1111 1111, a@b.example");
    const boundary = openTestBoundary({ names, key });
    const sent = await encodeText(boundary, `${drawn} ~ Jane Doe, 4111 1111 1111 1111, a@b.example`);
    // All that was drawn the first time stands in the text, so nothing is drawn like it now.
    const [, second = ""] = sent.split(" ~ ");
    for (const word of drawn.split(/[ ,.@]+/).filter((part) => part.includes("qv"))) expect(second).not.toContain(word);
    expect(wholeText(boundary, drawn.split(",")[0] ?? "")).toBe(drawn.split(",")[0]);
    expect(wholeText(boundary, second)).toBe("Jane Doe, 4111 1111 1111 1111, a@b.example");
  });

  it("is told apart by conversation: a stand-in of an earlier request decodes to nobody", async () => {
    const earlier = await encodeText(openTestBoundary({ names }), "Jane Doe");
    const boundary = openTestBoundary({ names });
    const sent = await encodeText(boundary, `You said ${earlier}. Who is Jane Doe?`);
    expect(sent).toContain(`You said ${earlier}.`);
    expect(wholeText(boundary, sent)).toBe(`You said ${earlier}. Who is Jane Doe?`);
  });
});

describe("a reply that would grow beyond what is read", () => {
  it("is altered, before anything of it is written", async () => {
    const boundary = openTestBoundary({
      structured: (text) => [
        { start: 0, end: text.length, class: "email", kind: "email", jurisdiction: null, canonical: "a value of 200 KB" },
      ],
    });
    const standIn = await encodeText(boundary, "long value ".repeat(20_000));
    // Some billions of signs, which no string can hold.
    const bomb = `${standIn} `.repeat(30_000);
    const stream = boundary.openStream();
    const pieces = Array.from({ length: 10 }, () => `${standIn} `);
    const streamed = pieces.map((piece) => stream.push(piece));
    const altered = { kind: "altered", problem: "the reply has more than 1000000 characters with its values in it; say less" };
    expect(boundary.decodeText(bomb)).toEqual(altered);
    expect(boundary.decodeJson({ a: bomb })).toEqual(altered);
    expect(boundary.decodeJson(Array(10).fill(standIn))).toEqual(altered);
    expect(boundary.decodeJson(Object.fromEntries(pieces.map((piece, at) => [`${piece}${at}`, 1])))).toEqual(altered);
    expect([...streamed, stream.end()]).toContainEqual(altered);
    expect(boundary.decodeText(`${standIn} ${standIn}`).kind).toBe("whole");
    const long = "nobody's words ".repeat(100_000);
    expect(boundary.decodeText(long)).toEqual({ kind: "whole", value: long });
  });
});

describe("second turns", () => {
  it("keep the stand-ins of the first where the model quoted them, and its decoded words get the same ones", async () => {
    const boundary = openTestBoundary({ names });
    const first = await boundary.encode({ messages: ["Jane Doe, jane@site.example"] }, neverCancelled);
    const quoted = `I wrote to ${first.payload.messages[0]}.`;
    const turns = ["Jane Doe, jane@site.example", quoted, wholeText(boundary, quoted), "And Eric?"];
    const { payload } = await boundary.encode({ messages: turns }, neverCancelled);
    expect(payload.messages.slice(0, 3)).toEqual([first.payload.messages[0], quoted, quoted]);
    expect(wholeText(boundary, payload.messages[1] ?? "")).toBe("I wrote to Jane Doe, jane@site.example.");
  });
});

describe("values and their spellings", () => {
  it("gives one card in three spellings one stand-in in three spellings", async () => {
    const boundary = openTestBoundary();
    const text = "4111 1111 1111 1111|4111-1111-1111-1111|4111111111111111";
    const sent = (await encodeText(boundary, text)).split("|");
    expect(sent.map((part) => part.replaceAll(/\D/g, ""))).toEqual(Array(3).fill(sent[2]));
    expect(sent.map((part) => part.replaceAll(/\d/g, ""))).toEqual(["   ", "---", ""]);
    expect(wholeText(boundary, sent.join("|"))).toBe(text);
  });

  it("gives a spelling that would look the same a stand-in of its own, and restores both", async () => {
    const boundary = openTestBoundary({ names });
    const text = "Jane Doe|Jane  Doe|Jane\nDoe|jane DOE";
    const sent = await encodeText(boundary, text);
    expect(new Set(sent.split("|")).size).toBe(4);
    expect(wholeText(boundary, sent)).toBe(text);
  });

  it("tells `Tina` from `Tina M`, and leaves the genitive of `Eric's` outside", async () => {
    const boundary = openTestBoundary({ names });
    const sent = await encodeText(boundary, "Tina M, not Tina; Eric's or Eric");
    expect(sent).toMatch(/^(\w+) \w+, not \1; (\w+)'s or \2$/);
    expect(wholeText(boundary, sent)).toBe("Tina M, not Tina; Eric's or Eric");
  });

  it("keeps three addresses apart that have only spaces between, and one that a dash glues to a name", async () => {
    const boundary = openTestBoundary({ names, structured: findForms });
    for (const text of [
      "a@b.example c@d.example  e@f.example",
      "Tina-a@b.example",
      "Jane Doe–Eric",
      "a@b.example4111111111111111",
    ]) {
      const sent = await encodeText(boundary, text);
      expect(sent).not.toMatch(/@[bdf]\.example|Tina|Jane|4111/);
      expect(wholeText(boundary, sent)).toBe(text);
    }
  });

  it("keeps the legal form of an organisation", async () => {
    const rules = [{ class: "*", jurisdiction: "*", region: "*", treatment: "tokenise" }] as const;
    const boundary = openTestBoundary({ rules, recogniser: recogniserOf(names, "organisation") });
    expect(await encodeText(boundary, "from Acme Trading Ltd")).toMatch(/^from [A-Z]\w+ [A-Z]\w+ Ltd$/);
  });
});

const months = "January February March April May June July August September October November December".split(" ");

/** A boundary whose stand-in for 14 March 1975 lies in a month of one digit that has a short name, so that each way of writing is another. */
async function dayOfOneDigit(dates: "scattered" | "in_order"): Promise<{ readonly boundary: Boundary; readonly day: string }> {
  for (let draw = 0; ; draw += 1) {
    const boundary = openTestBoundary({ dates, key: newKey(`the key of draw ${draw}`) });
    const [d = "", m = "", y = ""] = (await encodeText(boundary, "14.03.1975")).split(".");
    if (m.startsWith("0") && m !== "05") return { boundary, day: `${y}-${m}-${d}` };
  }
}

/** One day in the ways that say it to everybody. */
function writtenWays(day: string): readonly string[] {
  const [y = "", m = "", d = ""] = day.split("-");
  const name = months[Number(m) - 1] ?? "";
  const short = name.slice(0, 3);
  const inWords = [
    `${Number(d)} ${name} ${y}`,
    `${Number(d)} ${short} ${y}`,
    `${name} ${Number(d)}, ${y}`,
    `${short} ${Number(d)} ${y}`,
  ];
  return [day, `${y}/${m}/${d}`, `${d}.${m}.${y}`, `${Number(d)}.${Number(m)}.${y}`, ...inWords];
}

function findDates(text: string): readonly Finding[] {
  const form = /(?:\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2},? \d{4}|\d{1,4}([-./])\d{1,2}\1\d{1,4})/g;
  return [...text.matchAll(form)].map(({ 0: value, index }) => ({
    ...{ start: index, end: index + value.length, canonical: "1975-03-14" },
    ...{ class: "birth_date", kind: "birth_date", jurisdiction: null },
  }));
}
