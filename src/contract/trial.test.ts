import { describe, expect, it } from "vitest";
import { namedTime } from "./trial.ts";

const trial = { onSent: () => {} };

describe("namedTime", () => {
  it("is what a request of a trial names, and the clock's where it names none", () => {
    expect([namedTime(trial, 5), namedTime(trial, null), namedTime(null, undefined), namedTime(undefined, null)]).toEqual([
      5,
      null,
      null,
      null,
    ]);
  });

  it.each([null, undefined])("refuses one that is named anywhere else", (none) => {
    expect(() => namedTime(none, 0)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });
});
