import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/json.ts";
import type { Proposal } from "../../src/contract/proposal.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { House, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

/** Names another asker than the entry does, under a digest of its own, as a decider that was taken over might. */
function byAnother({ digest: _, ...proposal }: Proposal): Proposal {
  const altered = { ...proposal, requestedBy: "somebody" };
  return { ...altered, digest: sha256Digest.sha256(canonicalJson(altered)) };
}

describe("a proposal that names another asker than its entry", () => {
  it("is signed by nobody at the desk", async () => {
    const decisionId = await house.decide({ changes: [house.add("asker-desk")], alter: byAnother });
    await expect(house.desk().approve({ principal: people.ada, decisionId })).rejects.toMatchObject({
      code: "approval_mismatch",
      facts: { rule: "asker" },
    });
  });

  it("is not let through by policy, in a slice that is open", async () => {
    await house.desk().openSlice({ principal: people.oda, capability: "tickets", slice: "all", thresholdPpm: 850_000 });
    await house.worker().runOnce();
    const decisionId = await house.decide({ changes: [house.add("asker-auto")], route: "auto", alter: byAnother });
    await house.worker().runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "refused approval_mismatch"]);
    expect(await house.tickets("asker-auto")).toEqual([]);
  });
});
