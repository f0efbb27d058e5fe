import { expect, it } from "vitest";
import { encodeText, openTestBoundary, recogniserOf } from "../../../test/guard/privacy-samples.ts";
import { neverCancelled } from "../../contract/cancel.ts";
import { mapLeaves } from "./walk.ts";

it("copies a payload whole, so that what changes later changes no copy", () => {
  const payload = { text: "a", list: ["b", { deep: 1 }], none: null };
  const copy = mapLeaves(payload, { text: (text) => text, count: (count) => count });
  expect(copy).toEqual(payload);
  expect(copy).not.toBe(payload);
  expect(copy.list).not.toBe(payload.list);
  expect(copy.list[1]).not.toBe(payload.list[1]);
});

it("sends what the payload was when encoding began, whatever is put into it while the recogniser looks", async () => {
  const payload = { text: "hello", list: ["x"], count: 1 };
  const names = recogniserOf(["Jane Doe"]);
  const boundary = openTestBoundary({
    recogniser: {
      ...names,
      find: async (texts, cancel) => {
        payload.text = "jane@site.example";
        payload.list.push("4111 1111 1111 1111");
        payload.count = 4_111_111_111_111_111;
        return names.find(texts, cancel);
      },
    },
  });
  const { payload: sent } = await boundary.encode(payload, neverCancelled);
  expect(sent).toEqual({ text: "hello", list: ["x"], count: 1 });
  expect(Object.isFrozen(payload)).toBe(false);
});

it("refuses a list that would write itself as something else, as it does an object", async () => {
  const list = Object.assign(["x"], { toJSON: () => "jane@site.example" });
  class Named extends Array<string> {
    toJSON(): string {
      return `${this.length} names`;
    }
  }
  for (const payload of [{ list }, { list: new Named() }, { object: { toJSON: () => "x" } }])
    await expect(openTestBoundary().encode(payload, neverCancelled)).rejects.toMatchObject({ code: "unserialisable" });
});

it("calls a reply altered in which two keys of one object mean one value", async () => {
  const boundary = openTestBoundary({ names: ["Jane Doe"] });
  const standIn = await encodeText(boundary, "Jane Doe");
  for (const second of [standIn.toUpperCase(), "Jane Doe"]) {
    const decoded = boundary.decodeJson({ list: [{ [standIn]: 1, [second]: 2 }] });
    expect(decoded).toMatchObject({ kind: "altered", problem: expect.stringMatching(/^the reply has one key twice/) });
    expect(JSON.stringify(decoded)).not.toMatch(/jane|qv/i);
  }
});
