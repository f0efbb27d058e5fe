import { describe, expect, it } from "vitest";
import { encodeText, openTestBoundary, wholeText } from "../../../../test/guard/privacy-samples.ts";

const names = ["Jane Doe"];
const values = {
  mail: "jane@shop.example",
  v4: "10.1.2.3",
  mac: "3c:52:82:1b:44:a7",
  card: "4111 1111 1111 1111",
  date: "14.03.1975",
  code: "C01X00T47",
  name: "Jane Doe",
} as const;

describe("a stand-in that runs on into something longer of its kind", () => {
  it.each([
    ["mail", (it: string) => `${it}.attacker.example`],
    ["mail", (it: string) => `${it}-attacker.example`],
    ["mail", (it: string) => `${it}2.example`],
    ["mail", (it: string) => `${it}@attacker.example`],
    ["mail", (it: string) => `${it}%2Eattacker.example`],
    ["mail", (it: string) => `${it}\uff0eattacker.example`],
    ["mail", (it: string) => `${it}\u200b.attacker.example`],
    ["mail", (it: string) => `${it}\u3002attacker.example`],
    ["mail", (it: string) => `${it}\uff61attacker.example`],
    ["mail", (it: string) => `${it}.\uff41ttacker.example`],
    ["mail", (it: string) => `${it}&#46;attacker.example`],
    ["mail", (it: string) => `${it}&#x2E;attacker.example`],
    ["mail", (it: string) => `${it}&period;attacker.example`],
    ["mail", (it: string) => `${it}&amp;period;attacker.example`],
    ["mail", (it: string) => `${it}&#12290;attacker.example`],
    ["mail", (it: string) => `${it}\\u002eattacker.example`],
    ["mail", (it: string) => `${it}\\u3002attacker.example`],
    ["mail", (it: string) => `${it}\\u002e\\u0061ttacker.example`],
    ["mail", (it: string) => `${it}%E3%80%82attacker.example`],
    ["mail", (it: string) => `${it}%EF%BC%8Eattacker.example`],
    ["mail", (it: string) => `${it}%252Eattacker.example`],
    ["mail", (it: string) => `x&#46;${it}`],
    ["mail", (it: string) => `x%2E${it}`],
    ["v4", (it: string) => `${it}&#46;attacker.example`],
    ["name", (it: string) => `${it}&#45;Smith`],
    ["mail", (it: string) => `${it}.münchen.example`],
    ["mail", (it: string) => `x.${it}`],
    ["mail", (it: string) => `billing+${it}`],
    ["mail", (it: string) => `no-${it}`],
    ["mail", (it: string) => `7${it}`],
    ["v4", (it: string) => `${it}.9`],
    ["v4", (it: string) => `1.${it}`],
    ["v4", (it: string) => `${it}.attacker.example`],
    ["mac", (it: string) => `${it}:01`],
    ["mac", (it: string) => `aa:${it}`],
    ["card", (it: string) => `${it}-77`],
    ["card", (it: string) => `12-${it}`],
    ["date", (it: string) => `${it}-2`],
    ["code", (it: string) => `${it}-B`],
    ["name", (it: string) => `${it}-Smith`],
    ["name", (it: string) => `Smith-${it}`],
    ["name", (it: string) => `${it}é`],
  ] as const)("is altered: %s, case %#", async (of, change) => {
    const boundary = openTestBoundary({ names });
    const standIn = await encodeText(boundary, values[of]);
    expect(wholeText(boundary, `so ${standIn} it is`)).toBe(`so ${values[of]} it is`);
    const said = `so ${change(standIn)} it is`;
    for (const decoded of [boundary.decodeText(said), boundary.decodeJson({ said })]) {
      expect(decoded).toMatchObject({ kind: "altered" });
      expect(JSON.stringify(decoded)).not.toContain(values[of]);
    }
  });

  it.each([
    ["mail", (it: string) => `Write to ${it}. Now.`],
    ["mail", (it: string) => `<${it}>, (${it}); "${it}"... mailto:${it}?subject=hi`],
    ["mail", (it: string) => `https://site.example/?to=${it}&n=1 and ?q=a%20${it}%26b`],
    ["mail", (it: string) => `{"text":"a\\n${it}\\nb"}`],
    ["mail", (it: string) => `連絡先は${it}です。${it}。次に`],
    ["mail", (it: string) => `${it}\u3002 Visit us. ${it}\uff61\u6b21\u306b ${it}%E3%80%82%E6%AC%A1`],
    [
      "mail",
      (it: string) => `<p>${it}</p>&lt;${it}&gt;and ${it}&nbsp;or ${it}&amp;b=1, ${it}&#46; Then "${it}\\nthen" a%20${it}`,
    ],
    ["v4", (it: string) => `${it}:80, ${it}/24. ${it}.`],
    ["mac", (it: string) => `MAC:${it}, ${it}:`],
    ["card", (it: string) => `${it}. ${it}, ${it}/${it}`],
    ["date", (it: string) => `${it}. ${it}, (${it})`],
    ["code", (it: string) => `${it}, ${it}. ${it}-`],
    ["name", (it: string) => `${it}-related, ex-${it}, ${it}'s, 张${it}先生`],
  ] as const)("is itself beside what belongs to the sentence: %s, case %#", async (of, say) => {
    const boundary = openTestBoundary({ names });
    const standIn = await encodeText(boundary, values[of]);
    expect(wholeText(boundary, say(standIn))).toBe(say(values[of]));
  });

  it.each([
    "jane@shop.example.attacker.example and 10.1.2.3.4",
    "card 4111 1111 1111 1111-77 of Jane Doe-Smith, x.jane@shop.example",
    "3c:52:82:1b:44:a7:01 or aa:3c:52:82:1b:44:a7",
  ])("goes out widened where the request itself has it so, and comes back whole: %s", async (text) => {
    const boundary = openTestBoundary({ names });
    const sent = await encodeText(boundary, text);
    expect(wholeText(boundary, sent)).toBe(text);
  });

  it("is held back in a stream until it is seen what it runs on into", async () => {
    const boundary = openTestBoundary({ names });
    const standIn = await encodeText(boundary, values.mail);
    const escaped = ["&#46;b.example", "\\u002eb.example", "%E3%80%82b.example"];
    for (const tail of [".attacker.example", "-a.example", "@b.example", "\uff0eb.example", "\u3002b.example", ...escaped]) {
      for (let cut = 1; cut < tail.length; cut += 1) {
        const stream = boundary.openStream();
        const said = [stream.push(`so ${standIn}${tail.slice(0, cut)}`), stream.push(tail.slice(cut)), stream.end()];
        expect(said.at(-1)).toMatchObject({ kind: "altered" });
        expect(JSON.stringify(said)).not.toContain(values.mail);
      }
    }
  });
});
