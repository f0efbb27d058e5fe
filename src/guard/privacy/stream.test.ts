import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeText, openTestBoundary } from "../../../test/guard/privacy-samples.ts";
import type { Boundary } from "./boundary.ts";
import type { Decoded } from "./decode.ts";

const names = ["Jane Doe", "Max", "Anna\nLang"];
const text =
  'Dear Jane Doe, JANE DOE and Max: mail a.b+c@site.example, +49 170 123 456, 4111 1111 1111 1111 and 4111111111111111; DE89 3704 0044 0532 0130 00. Born 14.03.1975, at 10.1.2.3 ("Anna\nLang").';

/** What a stream returns for chunks, put together; `null` once it was altered. */
function through(boundary: Boundary, chunks: readonly string[], isJson = false): string | null {
  const stream = boundary.openStream({ isJson });
  let whole = "";
  const take = (decoded: Decoded<string>): boolean => {
    if (decoded.kind === "whole") whole += decoded.value;
    return decoded.kind === "whole";
  };
  for (const chunk of chunks) if (!take(stream.push(chunk))) return null;
  return take(stream.end()) ? whole : null;
}

/** A text in pieces that end at given places. */
function cutAt(whole: string, cuts: readonly number[]): string[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, at) => whole.slice(places[at], end));
}

it("decodes whole whatever character it is cut at, also sign by sign", async () => {
  const boundary = openTestBoundary({ names });
  const sent = await encodeText(boundary, text);
  expect(sent).not.toContain("Jane");
  for (let cut = 0; cut <= sent.length; cut += 1) expect(through(boundary, [sent.slice(0, cut), sent.slice(cut)])).toBe(text);
  expect(through(boundary, [...sent])).toBe(text);
});

it("decodes 1,000 streams cut anywhere, with prose around the stand-ins", async () => {
  const boundary = openTestBoundary({ names });
  const parts = (await encodeText(boundary, text)).split(/(?<=[,;:.] )/);
  const prose = fc.constantFrom("", "and ", "0 0 ", "+", "\n", "(", "47 ", "Ta", "0", "zz", "1 000 000 ");
  const said = fc.array(fc.oneof(fc.constantFrom(...parts), prose), { maxLength: 12 }).map((some) => some.join(""));
  fc.assert(
    fc.property(said, fc.array(fc.nat(500), { maxLength: 30 }), (reply, cuts) => {
      const whole = boundary.decodeText(reply);
      expect(through(boundary, cutAt(reply, cuts))).toBe(whole.kind === "whole" ? whole.value : null);
    }),
    { numRuns: 1_000 },
  );
});

it("gives out what cannot become a stand-in at once, and holds back what can", async () => {
  const boundary = openTestBoundary({ names });
  const standIn = await encodeText(boundary, "Jane Doe");
  const stream = boundary.openStream();
  expect(stream.push("Your order is on its way, ")).toEqual({ kind: "whole", value: "Your order is on its way, " });
  expect(stream.push(`Dear ${standIn.slice(0, -2)}`)).toEqual({ kind: "whole", value: "Dear " });
  expect(stream.push(standIn.slice(-2))).toEqual({ kind: "whole", value: "" });
  expect(stream.push(".")).toEqual({ kind: "whole", value: "" });
  expect(stream.push(" ")).toEqual({ kind: "whole", value: "Jane Doe. " });
  expect(stream.end()).toEqual({ kind: "whole", value: "" });
});

it("holds back no more than a stand-in is long, however long a word is", () => {
  const stream = openTestBoundary().openStream();
  let out = "";
  for (let i = 0; i < 100; i += 1) {
    const decoded = stream.push("a".repeat(1_000));
    if (decoded.kind === "whole") out += decoded.value;
    expect((i + 1) * 1_000 - out.length).toBeLessThanOrEqual(400);
  }
});

it("gives out a stand-in that is incomplete at the end of the stream as it is, and fails for one that was altered", async () => {
  const boundary = openTestBoundary({ names });
  const standIn = await encodeText(boundary, "Jane Doe");
  const [first = "", second = ""] = standIn.split(" ");
  expect(through(boundary, [first.slice(0, 3)])).toBe(first.slice(0, 3));
  expect(through(boundary, [first, " "])).toBe("Jane ");
  expect(through(boundary, [`${first} ${second.slice(0, -1)}`])).toBe(null);
});

it("stays altered once it was", () => {
  const stream = openTestBoundary().openStream();
  expect(stream.push("Dear Taqvirel, ").kind).toBe("altered");
  expect(stream.push("hello ").kind).toBe("altered");
  expect(stream.end().kind).toBe("altered");
});

it("decodes the arguments of a tool, which are JSON in chunks, with values as parts of their strings", async () => {
  const boundary = openTestBoundary({ names: [...names, 'Jo "Bo" Li'] });
  const to = ["Anna\nLang", 'Jo "Bo" Li', "Jane Doe"];
  const { payload } = await boundary.encode({ to, note: "x\nJane Doe" }, { isCancelled: () => false, onCancel: () => {} });
  const written = JSON.stringify(payload);
  for (let cut = 0; cut <= written.length; cut += 1) {
    const decoded = through(boundary, [written.slice(0, cut), written.slice(cut)], true);
    expect(JSON.parse(decoded ?? "null")).toEqual({ to, note: "x\nJane Doe" });
  }
});
