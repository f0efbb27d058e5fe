import { describe, expect, it } from "vitest";
import { isAskedBySame } from "./asker.ts";
import type { DecisionStory } from "./story.ts";

type Story = Parameters<typeof isAskedBySame>[0];

/** Only the two names matter here; the rest of a story is left out. */
function story(
  entry: { principal?: string; onBehalfOf?: string | null },
  proposal: { requestedBy: string; onBehalfOf: string | null },
) {
  return { outcome: { body: entry }, proposal } as unknown as Story;
}

describe("the asker of a decision", () => {
  it.each([
    [{ principal: "emp-1", onBehalfOf: null }, { requestedBy: "emp-1", onBehalfOf: null }, true],
    [{ principal: "emp-1" }, { requestedBy: "emp-1", onBehalfOf: null }, true],
    [{ principal: "bot-1", onBehalfOf: "emp-1" }, { requestedBy: "bot-1", onBehalfOf: "emp-1" }, true],
    [{ principal: "emp-2", onBehalfOf: null }, { requestedBy: "emp-1", onBehalfOf: null }, false],
    [{ principal: "bot-1", onBehalfOf: "emp-2" }, { requestedBy: "bot-1", onBehalfOf: null }, false],
    [{ principal: "bot-1", onBehalfOf: null }, { requestedBy: "bot-1", onBehalfOf: "emp-1" }, false],
    [{}, { requestedBy: "emp-1", onBehalfOf: null }, false],
  ])("by the entry %j and by the proposal %j: the same is %s", (entry, proposal, isSame) => {
    expect(isAskedBySame(story(entry, proposal))).toBe(isSame);
  });

  it("is nobody where there is no proposal", () => {
    expect(
      isAskedBySame({
        outcome: story({}, { requestedBy: "", onBehalfOf: null }).outcome,
        proposal: null as DecisionStory["proposal"],
      }),
    ).toBe(false);
  });
});
