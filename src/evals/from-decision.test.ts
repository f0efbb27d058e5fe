import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../contract/json.ts";
import type { EntryKind } from "../contract/words.ts";
import type { DecisionStory, ReadEntry } from "../ledger/story.ts";
import { caseFromDecision, writtenIn } from "./from-decision.ts";

const decisionId = "01a22e3d-a3d8-7603-9462-45a7078c3c61";
const right = { label: "quality" } as const;
const effects = (...names: readonly string[]) => names.map((name) => ({ effect: "close", params: { name } }));

interface Told {
  readonly kinds?: readonly EntryKind[];
  readonly proposed?: readonly JsonObject[];
  readonly claims?: readonly { readonly text: string; readonly source: string }[];
  readonly body?: JsonObject;
  readonly bodies?: { readonly [name: string]: Json };
  readonly states?: readonly string[];
}

/** As much of a story as a case is made of. */
function story({
  kinds = [],
  proposed = [],
  claims = [],
  body = {},
  bodies = { inputs: { text: "Close it" } },
  states = [],
}: Told): DecisionStory {
  const entry = (kind: EntryKind, facts: JsonObject, held: ReadEntry["bodies"] = {}): ReadEntry => ({
    ...{ id: decisionId, kind, ts: 0, writer: "deciding", cause: null, seq: 1 },
    ...{ body: facts, bodies: held, isErased: false, isUnreadable: false },
  });
  const proposal = { effects: proposed, claims, droppedClaims: [], refusal: null };
  const told = { requestedBy: "erin", onBehalfOf: null, follows: null, approvals: [] };
  return {
    ...{ tenant: "acme", decisionId, ...told, operations: states.map((state) => ({ state })) },
    outcome: entry("decided", { capability: "close", roles: ["employee"], slice: "all", label: "closed", ...body }, bodies),
    following: kinds.map((kind) => entry(kind, kind === "corrected" ? { supersededBy: "other" } : {})),
    proposal,
  } as unknown as DecisionStory; // what else a story holds is not looked at
}

const made = (told: Told, successor: Told | null = null, more: object = {}) => {
  const failed = { story: story(told), successor: successor === null ? null : story(successor) };
  return caseFromDecision(failed, writtenIn(failed), { ...right, ...more });
};

describe("caseFromDecision", () => {
  it("wants what a person edited it into, and not what they edited away", () => {
    const edited = made(
      { kinds: ["corrected"], proposed: effects("a", "b") },
      { proposed: effects("b", "c"), body: { label: "half_closed" } },
    );
    expect(edited.expectations).toMatchObject({
      decision: ["half_closed"],
      effects: { required: effects("b", "c"), forbidden: effects("a") },
    });
  });

  it("wants what went wrong at the target to be carried out", () => {
    const failed = made({ kinds: ["escalated"], proposed: effects("a"), states: ["escalated"] });
    expect(failed.expectations).toMatchObject({ applied: true, effects: { required: effects("a"), forbidden: [] } });
  });

  it("forbids what a rejected answer said, and of rejected effects nothing that was said of the records", () => {
    const claims = [{ text: "Order 7 was delivered on 3 May.", source: "record:orders/7" }];
    const answer = made({ kinds: ["rejected"], claims });
    expect(answer.expectations.statements.forbidden).toEqual(["Order 7 was delivered on 3 May."]);
    const proposal = made({ kinds: ["rejected"], claims, proposed: effects("a") });
    expect(proposal.expectations).toMatchObject({ statements: { forbidden: [] }, effects: { forbidden: effects("a") } });
  });

  it("takes a text as it was written, and other inputs as the capability takes them", () => {
    expect(made({ kinds: ["rejected"], proposed: effects("a") }).request).toBe("Close it");
    const inputs = { ticket: "t", reason: "old" };
    expect(made({ kinds: ["rejected"], proposed: effects("a"), bodies: { inputs } }).request).toEqual(inputs);
  });

  it("says what it lacks", () => {
    expect(() => made({ bodies: {} })).toThrow(/inputs were not kept/);
    expect(() => made({})).toThrow(/--decision or --refuses/);
    expect(made({}, null, { decision: "open" }).expectations.decision).toEqual(["open"]);
  });

  it("knows a question at the border of what the sources say", () => {
    const stopped = made({ body: { stop: { reason: "not_in_sources", node: "context_load" } } }, null, { refuses: true });
    expect(stopped).toMatchObject({ kind: "boundary", expectations: { refuses: true } });
  });
});
