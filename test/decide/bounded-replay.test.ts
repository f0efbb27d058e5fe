import { expect, it } from "vitest";
import { z } from "zod";
import type { CallRecord, Model, Provider } from "../../src/contract/model.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { openPrivacyParts } from "../../src/gateway/open-privacy-parts.ts";
import { replayGateway } from "../../src/gateway/replay.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { fixedClock, proposeForTest, testTime } from "../../src/testing/index.ts";

// What was decided behind the boundary is kept with its values, so a replay needs no map: it finds the same, also where a reply was refused
// for a stand-in that the model had changed.
const mail = "ada.moll@corvane.example";
const capability = defineCapability<{ text: string }, { to: string }>({
  ...{
    name: "address",
    version: "1",
    owner: "tests",
    description: "Says where to write.",
    openTo: ["employee"],
    keepsInputs: true,
  },
  ...{ input: z.strictObject({ text: z.string() }), decision: z.strictObject({ to: z.string() }), needs: () => [] },
  deciding: {
    ...({ kind: "prompt", version: "1" } as const),
    model: { provider: "real", id: "m-1", effort: "none", temperature: 0 },
    prompt: ({ inputs }) => ({ system: "Say where to write.", messages: [{ role: "user", text: inputs.text }] }),
  },
  checks: [{ name: "is_there", run: ({ decision }) => ({ passed: decision.to !== "", evidence: "it was said" }) }],
  propose: ({ decision }) => ({ summary: `Write to ${decision.to}` }),
});

/** Says a changed stand-in at first, then prose, then the stand-in as it was. */
function clumsy(): Provider {
  return {
    ...{ name: "real", isScripted: false },
    complete: async ({ messages, attempt }) => {
      const standIn = /\S+@\S+/.exec(messages[0]?.text ?? "")?.[0] ?? "";
      const said = [JSON.stringify({ to: standIn.replace(/^./, (first) => (first === "x" ? "y" : "x")) }), `To ${standIn}`];
      return { text: said[attempt - 1] ?? JSON.stringify({ to: standIn }), usage: null, stopReason: "end" };
    },
  };
}

function propose(model: Model) {
  return proposeForTest({ capability, inputs: { text: `Write to ${mail} please` }, deps: { model } });
}

it("replays to the same proposal from what was kept, and each refused reply is refused again for the same reason", async () => {
  const files = { policy: null, dictionaries: new Map() };
  const gateway = createGateway({
    ...{ providers: [clumsy()], clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 },
    boundary: openPrivacyParts({ files, recogniser: null }),
  });
  const first = await propose(gateway);
  expect(first.proposal?.summary).toBe(`Write to ${mail}`);
  expect(first.calls.map(({ outcome, isReplyWhole, boundary }) => [outcome, isReplyWhole, boundary])).toEqual([
    ["misfits", false, "on"],
    ["misfits", false, "on"],
    ["fits", true, "on"],
  ]);
  expect(first.calls[1]?.reply).toContain(mail);
  const again = await propose(replayGateway(JSON.parse(JSON.stringify(first.bodies["replies"])) as readonly CallRecord[])); // as kept
  expect(again.proposal).toEqual(first.proposal);
  expect(again.calls.map(({ outcome, problem }) => [outcome, problem])).toEqual(
    first.calls.map(({ outcome, problem }) => [outcome, problem]),
  );
});

it("says in the record which rules were in force, and what was replaced under them", async () => {
  const rules = [{ class: "email", jurisdiction: "*", region: "eu", treatment: "mask" }];
  const seen: string[] = [];
  const masked: Provider = {
    ...{ name: "real", isScripted: false, region: "eu" },
    complete: async ({ messages }) => {
      seen.push(messages[0]?.text ?? "");
      return { text: '{"to":"whoever"}', usage: null, stopReason: "end" };
    },
  };
  const parts = openPrivacyParts({ files: { policy: { version: 1, rules }, dictionaries: new Map() }, recogniser: null });
  const gateway = createGateway({
    ...{ providers: [masked], clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0, boundary: parts },
  });
  const { calls } = await propose(gateway);
  expect(seen).toEqual(["Write to [email] please"]);
  expect(calls).toMatchObject([{ privacyPolicy: parts.policyDigest, replacedCounts: { email: { mask: 1 } } }]);
});
