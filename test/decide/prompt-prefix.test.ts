import fc from "fast-check";
import { describe, expect, it } from "vitest";
import project from "../../examples/it-support/project.ts";
import type { Deciding } from "../../src/contract/capability.ts";
import { intakeFor } from "../../src/decide/intake.ts";
import { proposeForTest, testPrincipal, testTime } from "../../src/testing/index.ts";
import { goodLoan, lendProjector, sampleContext } from "./samples.ts";
import { deciding } from "./scripted.ts";

const good = JSON.stringify(goodLoan);
const envelope = { principal: testPrincipal, scopes: ["employee"], environment: "demo", at: testTime };

describe("what is sent again", () => {
  it("is the base prompt byte for byte, with the one error of the attempt before and no other", async () => {
    const spoilt = fc.oneof(
      fc.string().filter((text) => text.trim() !== good),
      fc.constantFrom("", "```json\n{}\n```", good.replace("90", '"90"'), good.replace("good", "perfect"), good.slice(0, -1)),
    );
    const property = fc.asyncProperty(spoilt, spoilt, fc.boolean(), async (one, other, isMended) => {
      const script = deciding(one, other, isMended ? good : other);
      const record = await proposeForTest({
        capability: lendProjector(),
        inputs: { text: "a projector, please", days: 3 },
        deps: { model: script.model, context: sampleContext() },
      });
      const [base, ...again] = script.sent;
      for (const [place, sent] of again.entries()) {
        const before = record.calls[place]?.problem;
        expect(sent.system).toBe(base?.system);
        expect(sent.messages.slice(0, -1)).toEqual(base?.messages);
        expect(sent.messages.at(-1)?.text).toBe(
          `The reply before this one was refused: ${before}\nReply again with one JSON value that fits the schema, and nothing else.`,
        );
        expect(JSON.stringify(sent.jsonSchema)).toBe(JSON.stringify(base?.jsonSchema));
      }
      expect(again).toHaveLength(2);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});

describe("the prefix of a prompt", () => {
  const texts = ["My mouse is broken", "Wie alt muss mein Laptop sein?", "tkt-1 \u{1F600} {{row.id}}"];
  const named = [...project.capabilities, intakeFor({ project, permitted: project.capabilities, text: "hello" })];
  const asking = named.flatMap(({ name, deciding: by }) => (by.kind === "rule" ? [] : [[name, by] as const]));

  it.each(asking)("is the same bytes whatever is asked, by whomever and when: %s", (_name, by) => {
    const systems = texts.flatMap((text, place) => {
      const asker = { ...envelope, at: testTime + place, principal: { ...testPrincipal, id: `emp-${place}` } };
      return systemsOf(by, text, asker);
    });
    expect(new Set(systems).size).toBe(1);
    expect(systems[0]).not.toBe("");
  });
});

function systemsOf(by: Exclude<Deciding<unknown>, { kind: "rule" }>, text: string, asker: typeof envelope): readonly string[] {
  const row = {
    kind: "record",
    id: `r:${text}`,
    need: "device",
    query: "q",
    row: { note: text },
    labels: {},
    readAt: 0,
  } as const;
  return [[], [row]].map((items) => by.prompt({ inputs: { text }, envelope: asker, context: { items, digest: text } }).system);
}
