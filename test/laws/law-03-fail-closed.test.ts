import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { House, people } from "../postgres/acting/house.ts";
import { sampleHands } from "../postgres/acting/project.ts";

// Law 3, acting side: whatever is missing, stale, down or unreadable between a signature and a send, nothing is applied, and the
// reason is recorded. (Replies that do not fit, guards and judges that are down: the tests of their nodes.)
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

type Breaking = (decisionId: string, name: string) => Promise<Parameters<House["worker"]>[0]>;
const payloadOf = "(select id from countersign.entry where decision_id = $1 and kind = 'decided')";
const erasedCase = "the payload was erased";
const down = () => Promise.reject(new Error("connection refused"));

describe("law 3: what cannot be shown to be right is not applied, and the reason is recorded", () => {
  test.each<[string, string, Breaking]>([
    [
      "the system of record is down",
      "refused record_unavailable",
      async () => ({ at: (point) => (point === "before" ? down() : Promise.resolve()) }),
    ],
    [
      "the world has moved",
      "refused stale_before_state",
      async (_id, name) => {
        await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ($1, 'x', 'open', '-')", [name]);
        return {};
      },
    ],
    [
      "the approval has expired",
      "expired",
      async () => {
        house.aheadMs = 5 * 60 * 60 * 1000;
        return {};
      },
    ],
    [
      erasedCase,
      "refused approval_mismatch",
      async (id) => {
        await house.admin.query(`update countersign.payload set body = null, erased_at = now() where entry_id = ${payloadOf}`, [
          id,
        ]);
        return {};
      },
    ],
    [
      "the payload does not decrypt",
      "refused payload_unreadable",
      async (id) => {
        await house.admin.query(`update countersign.payload set body = '\\x01' where entry_id = ${payloadOf}`, [id]);
        return {};
      },
    ],
    [
      "a requirement throws",
      "refused precondition_failed",
      async () => {
        const requirement = house.sample.add.erased.requires[0];
        if (requirement === undefined) throw new Error("the sample has a requirement");
        const broken = {
          ...house.sample.add.erased,
          requires: [
            {
              name: "broken",
              holds: () => {
                throw new Error("down");
              },
            },
          ],
        };
        return { sample: withEffect(broken) };
      },
    ],
  ])("when %s", async (what, last, breaking) => {
    const name = what.replaceAll(" ", "-");
    const decisionId = await house.decide({ changes: [house.add(name)] });
    await house.desk().approve({ principal: people.ada, decisionId });
    const worker = house.worker(await breaking(decisionId, name));
    await worker.runOnce();
    await worker.runOnce();
    expect((await house.tickets(name)).filter((ticket) => ticket.sent !== "-")).toEqual([]);
    // What was said after an erasure is erased too, which is an entry of its own; nothing else erases.
    const story = await house.story(decisionId);
    const said = what === erasedCase ? story.filter((entry) => entry !== "erased") : story;
    expect(said.at(-1)).toBe(last);
  });

  test("when the target cannot be reached at all, the operation is unknown and never done", async () => {
    const decisionId = await house.decide({ changes: [house.add("unreachable")] });
    await house.desk().approve({ principal: people.ada, decisionId });
    const worker = house.worker({ at: (point) => (point === "before" ? Promise.resolve() : down()) });
    for (let round = 0; round < 5; round += 1) {
      await worker.runOnce();
      house.aheadMs += 20_000;
    }
    const story = await house.story(decisionId);
    expect(story).not.toContain("observed complete");
    expect(story.at(-1)).toBe("escalated");
    expect(await house.tickets("unreachable")).toEqual([]);
  });

  test("when hands could observe with the credential that they write with, the worker does not start", () => {
    const hands = sampleHands(house.sample);
    const [adding, closing] = hands.hands;
    if (adding === undefined || closing === undefined) throw new Error("the sample has two hands");
    const oneSecret = {
      ...adding,
      observe: { ...adding.observe, connector: { ...adding.observe.connector, secret: adding.apply.connector.secret } },
    };
    const oneName = {
      ...adding,
      observe: { ...adding.observe, connector: { ...adding.observe.connector, name: adding.apply.connector.name } },
    };
    const invalid = expect.objectContaining({ code: expect.stringMatching(/definition_invalid|configuration_invalid/) });
    for (const broken of [
      { ...hands, hands: [oneSecret, closing] },
      { ...hands, hands: [oneName, closing] },
      { ...hands, hands: [adding] },
      { ...hands, hands: [adding, adding, closing] },
      { ...hands, records: [] },
    ]) {
      expect(() => house.worker({ hands: broken })).toThrow(invalid);
    }
  });
});

/** The sample with another definition of its first effect, its capability and hands alike. */
function withEffect(effect: House["sample"]["add"]["erased"]): House["sample"] {
  const { project, add, close } = house.sample;
  const capabilities = project.capabilities.map((capability) => ({ ...capability, effects: [effect, close.erased] }));
  return { project: { ...project, capabilities, effects: [effect, close.erased] }, add: { ...add, erased: effect }, close };
}
