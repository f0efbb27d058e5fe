import { expect, it } from "vitest";
import { encodeOff } from "./encode.ts";

it("says that the boundary is off and passes the payload on unchanged", () => {
  const payload = { system: "Answer as JSON.", messages: [{ role: "user", text: "my mail is jane@example.org" }] };
  expect(encodeOff(payload)).toEqual({ payload, boundary: "off", replaced: [] });
});

it("freezes what is sent, so that no provider changes the next attempt", () => {
  const { payload } = encodeOff({ messages: [{ role: "user", text: "one" }] });
  expect(() => payload.messages.push({ role: "user", text: "two" })).toThrow(TypeError);
  expect(Object.isFrozen(payload.messages[0])).toBe(true);
});
