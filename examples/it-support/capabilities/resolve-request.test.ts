import { describe, expect, it } from "vitest";
import { resolveDevice, resolveReason } from "./resolve-request.ts";

const devices = [
  { asset_tag: "MS-1042", category: "mouse" },
  { asset_tag: "LT-1045", category: "laptop" },
  { asset_tag: "MN-1047", category: "monitor" },
  { asset_tag: "MN-1048", category: "monitor" },
] as const;

describe("what a request names", () => {
  it.each([
    ["My mouse is broken", "MS-1042"],
    ["Both mice are broken", "MS-1042"],
    ["Please replace lt-1045.", "LT-1045"],
    ["MN-1048 flickers", "MN-1048"],
    ["My notebook is slow", "LT-1045"],
  ])("is one device in: %s", (text, tag) => {
    expect(resolveDevice(text, devices)?.asset_tag).toBe(tag);
  });

  it.each([
    ["a category of which there are two", "My monitor is broken"],
    ["two categories", "My mouse and my laptop are broken"],
    ["a tag of somebody else, whatever else is named", "Replace LT-2051 like my mouse"],
    ["two tags", "Replace LT-1045 or MS-1042"],
    ["no device", "Everything is broken"],
    ["a category that the requester has not", "My headset is broken"],
    ["a word that only begins like one", "The phonebook is wrong"],
    ["nothing", ""],
  ])("is no device where it names %s", (_what, text) => {
    expect(resolveDevice(text, devices)).toBe(null);
  });

  it.each([
    ["My mouse is broken", "defective"],
    ["it stopped working", "defective"],
    ["The laptop is worn-out", "worn_out"],
    ["I lost it", "lost"],
    ["It looks tired", null],
    ["It is worn out and broken", null],
  ])("is one reason or none in: %s", (text, reason) => {
    expect(resolveReason(text)).toBe(reason);
  });
});
