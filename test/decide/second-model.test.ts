import { describe, expect, it } from "vitest";
import type { ModelChoice } from "../../src/contract/capability.ts";
import type { Provider, ProviderFault, ProviderReply, ProviderRequest } from "../../src/contract/model.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { cancelSwitch, fixedClock, proposeForTest, testTime } from "../../src/testing/index.ts";
import { goodLoan, lendProjector, sampleContext } from "./samples.ts";

const good: ProviderReply = { text: JSON.stringify(goodLoan), usage: null, stopReason: "end" };
const bad: ProviderReply = { text: "no JSON", usage: null, stopReason: "end" };
const first: ModelChoice = { provider: "first", id: "f-1", effort: "none", temperature: null };
const second: ModelChoice = { provider: "second", id: "s-1", effort: "none", temperature: null };

describe("a second model", () => {
  it.each(["refused_key", "refused_request", "crashed", "unusable", "overloaded"] as const)(
    "is asked where the first gave no reply at all, and is named as the one that decided: %s",
    async (kind) => {
      const { record, sent } = await decide({ first: [fault(kind)], second: [good] });
      expect(record).toMatchObject({ kind: "decided", model: "second/s-1", proposal: { summary: "Lend pr-1" } });
      expect(sent.second).toHaveLength(1);
      // Every request to either is in the record, and both were asked the same.
      expect(record.calls.map(({ model }) => model)).toEqual([...sent.first.map(() => "first/f-1"), "second/s-1"]);
      expect(sent.second[0]).toMatchObject({ system: sent.first[0]?.system, messages: sent.first[0]?.messages, attempt: 1 });
    },
  );

  it("is asked again as the first would be, where its reply does not fit", async () => {
    const { record, sent } = await decide({ first: [fault("refused_key")], second: [bad, good] });
    expect(record).toMatchObject({ kind: "decided", model: "second/s-1" });
    expect(sent.second.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it.each<[string, readonly Answer[], string]>([
    ["the first decided", [good], "decided"],
    ["the first's replies never fit", [bad], "stopped"],
    ["the first replied once, and then no more", [bad, fault("refused_key")], "stopped"],
  ])("is never asked where %s", async (_what, answers, kind) => {
    const { record, sent } = await decide({ first: answers, second: [good] });
    expect(record.kind).toBe(kind);
    expect(sent.second).toEqual([]);
  });

  it("is not asked when whoever asked has given up", async () => {
    const { cancel, fire } = cancelSwitch();
    const { record, sent } = await decide({ first: ["silence"], second: [good] }, { cancel, onSent: fire });
    expect(record.stop).toMatchObject({ reason: "cancelled" });
    expect(sent.second).toEqual([]);
  });

  it("leaves the reason in our words where neither replied", async () => {
    const { record } = await decide({ first: [fault("refused_key")], second: [fault("refused_request")] });
    expect(record.stop).toMatchObject({ reason: "model_unavailable", detail: "it was refused_request" });
    expect(record.model).toBe("second/s-1");
    expect(record.calls).toHaveLength(2);
  });
});

type Answer = ProviderReply | ProviderFault | "silence";

async function decide(
  answers: { first: readonly Answer[]; second: readonly Answer[] },
  { onSent = () => {}, ...deps }: { onSent?: () => void; cancel?: ReturnType<typeof cancelSwitch>["cancel"] } = {},
) {
  const sent = { first: [] as ProviderRequest[], second: [] as ProviderRequest[] };
  const provider = (name: "first" | "second"): Provider => ({
    name,
    isScripted: true,
    complete: async (request) => {
      const place = sent[name].push(request);
      const answer = answers[name][Math.min(place, answers[name].length) - 1];
      onSent();
      return answer === undefined || answer === "silence" ? new Promise<never>(() => {}) : answer;
    },
  });
  const base = lendProjector();
  if (base.deciding.kind !== "prompt") throw new Error("the sample is decided by a prompt");
  const capability = { ...base, deciding: { ...base.deciding, model: first, second } };
  const ports = { clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 };
  const model = createGateway({ ...ports, providers: [provider("first"), provider("second")] });
  const record = await proposeForTest({
    capability,
    inputs: { text: "a projector, please", days: 3 },
    deps: { model, context: sampleContext(), ...deps },
  });
  return { record, sent };
}

function fault(kind: ProviderFault["fault"]): ProviderFault {
  return { fault: kind, retryAfterMs: null, problem: `it was ${kind}`, usage: null, receivedCharacters: 0 };
}
