import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openAccounts } from "../../src/approve/accounts.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { putAccounts } from "../setup/people.ts";
import { House, people } from "./acting/house.ts";

// Between a signature and the send an account may go: nothing is sent for somebody who is nobody by then.
let house: House;
beforeAll(async () => {
  house = await House.build();
  await putAccounts(house.store.adminUrl, [bot]);
});
afterAll(() => house?.close());
afterEach(async () => {
  await house.admin.query("update countersign.account set state = 'active', allow = $1", [JSON.stringify(everything)]);
  for (const { tenant, id, roles } of [...Object.values(people), bot]) await setRoles(id, roles, tenant);
});

const bot: Principal = { ...people.erin, id: "bot", onBehalfOf: "erin" };
const { ada, abe, amy, erin, oda } = people;

const setRoles = (id: string, roles: readonly string[], tenant = "acme") =>
  house.admin.query("update countersign.account set roles = $3 where tenant = $1 and id = $2", [tenant, id, roles]);
const deactivate = (id: string) =>
  house.admin.query("update countersign.account set state = 'deactivated' where tenant = 'acme' and id = $1", [id]);
const refusalOf = async (decisionId: string) => {
  const refused = (await house.entries(decisionId)).find(({ kind }) => kind === "refused")?.body;
  return refused === undefined ? null : `${refused["code"]} ${refused["rule"]}`;
};

type Change = readonly [what: string, change: () => Promise<unknown>, refusal: string | null];
const changes: readonly Change[] = [
  ["nobody's account changes", async () => {}, null],
  ["whoever signed is deactivated", () => deactivate("ada"), "approver_not_permitted signer_inactive"],
  ["whoever signed may sign no more", () => setRoles("ada", ["employee"]), "approver_not_permitted approver_signs"],
  ["whoever signed gets another role besides", () => setRoles("ada", ["employee", "approver"]), null],
  ["whoever asked is deactivated", () => deactivate("erin"), "policy_refuses requester_inactive"],
  ["somebody else is deactivated", () => deactivate("abe"), null],
  [
    "the effect is taken from the lists of whoever asked",
    () =>
      house.admin.query("update countersign.account set allow = $1 where tenant = 'acme' and id = 'erin'", [
        JSON.stringify({ ...everything, effects: ["close_ticket"] }),
      ]),
    "policy_refuses not_on_allow_list",
  ],
];

describe("an approval that a person gave", () => {
  it.each(changes)("counts by the accounts at the reserve, not at the signature: %s", async (what, change, refusal) => {
    const decisionId = await house.decide({ changes: [house.add(what)] });
    await house.desk().approve({ principal: ada, decisionId });
    await change();
    expect(await house.worker().runOnce()).toMatchObject({
      reserved: refusal === null ? 1 : 0,
      refused: refusal === null ? 0 : 1,
    });
    expect(await refusalOf(decisionId)).toBe(refusal);
    expect(await house.tickets(what)).toHaveLength(refusal === null ? 1 : 0);
  });

  it("is none of an agent's, whatever its account was before", async () => {
    const decisionId = await house.decide({ changes: [house.add("by-agent")] });
    await house.desk().approve({ principal: { ...bot, onBehalfOf: null, id: "bot" }, decisionId });
    await setRoles("bot", ["approver"]);
    await house.worker().runOnce();
    expect(await refusalOf(decisionId)).toBe("approver_not_permitted signs_in_person");
  });

  it("is refused for an effect of an agent whose person is gone, and for who was asked for", async () => {
    const [own, named] = [
      await house.decide({ changes: [house.add("for-amy")], onBehalfOf: "amy" }),
      await house.decide({ changes: [house.add("for-nobody")], onBehalfOf: "nobody" }),
    ];
    for (const decisionId of [own, named]) await house.desk().approve({ principal: ada, decisionId });
    await deactivate("amy");
    await house.worker().runOnce();
    expect(await Promise.all([own, named].map(refusalOf))).toEqual(Array(2).fill("policy_refuses requester_inactive"));
  });

  it("does not start a high risk as one of two where the other's giver is gone", async () => {
    const decisionId = await house.decide({ changes: [house.add("grave-one", "grave")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.desk().approve({ principal: abe, decisionId });
    await deactivate("abe");
    await house.worker().runOnce();
    expect(await house.tickets("grave-one")).toEqual([]);
    expect(await refusalOf(decisionId)).toBe("approver_not_permitted signer_inactive");
  });

  it.each([
    ["once its giver is gone", () => deactivate("ada"), 0],
    ["while its giver is there", async () => {}, 1],
  ])("%s is sent again under so often what never arrived", async (what, change, count) => {
    const decisionId = await house.decide({ changes: [house.add(what)] });
    await house.desk().approve({ principal: ada, decisionId });
    let isLost = false;
    const worker = house.worker({
      at: async (point) => {
        if (point !== "arriving" || isLost) return;
        isLost = true;
        throw new Error("connection lost");
      },
    });
    await worker.runOnce();
    await change();
    house.aheadMs += 6_000;
    await worker.runOnce();
    expect(await house.tickets(what)).toHaveLength(count);
    expect((await house.story(decisionId)).filter((entry) => entry === "applying")).toHaveLength(1 + count);
    expect(await refusalOf(decisionId)).toBe(count === 0 ? "approver_not_permitted signer_inactive" : null);
  });
});

describe("what policy signs", () => {
  const auto = { route: "auto", confidencePpm: 900_000 } as const;
  beforeAll(async () => {
    await house.desk().openSlice({ principal: oda, capability: "tickets", slice: "all", thresholdPpm: 850_000 });
    await house.worker().runOnce();
  });

  it("needs whoever asked to be there", async () => {
    const early = await house.decide({ changes: [house.add("auto-early")], ...auto });
    await house.worker().runOnce();
    expect(await house.tickets("auto-early")).toHaveLength(1);
    const late = await house.decide({ changes: [house.add("auto-late")], ...auto });
    await deactivate("erin");
    await house.worker().runOnce();
    expect(await refusalOf(late)).toBe("policy_refuses requester_inactive");
    expect(await refusalOf(early)).toBeNull();
    expect(await house.tickets("auto-late")).toEqual([]);
  });

  it("is a threshold no more of an owner who is none by then", async () => {
    const slice = { capability: "tickets", slice: "all", thresholdPpm: 100_000 };
    await house.desk().openSlice({ principal: oda, ...slice });
    await setRoles("oda", ["approver"]);
    expect(await house.worker().runOnce()).toMatchObject({ slices: 0, refused: 1 });
    const { rows } = await house.admin.query("select threshold_ppm from countersign.slice");
    expect(rows).toEqual([{ threshold_ppm: 850_000 }]);
  });
});

describe("accounts as the acting half sees them", () => {
  const now = (principals: readonly Principal[], rolesFrom: "account" | "provider" = "account") =>
    house.acting.inTenant("acme", async (tx) => {
      const accounts = openAccounts({ tx, tenant: "acme", rolesFrom });
      const found: (Principal | null)[] = [];
      for (const principal of principals) found.push(await accounts.now(principal));
      return found.map((one) => one?.roles ?? null);
    });

  it("are those of the tenant alone, and an agent's are cut to its person's", async () => {
    expect(await now([erin, people.gus, bot, { ...ada, id: "nobody" }])).toEqual([erin.roles, null, erin.roles, null]);
    await setRoles("erin", ["approver", "owner"]);
    expect(await now([bot])).toEqual([["approver"]]);
    await deactivate("erin");
    expect(await now([bot, amy])).toEqual([null, amy.roles]);
  });

  it("say no roles of whoever a provider knows, where roles are the provider's", async () => {
    await house.admin.query(
      "update countersign.account set external_issuer = 'https://id.example', external_subject = 'subject-of-ada', roles = '{}' where id = 'ada'",
    );
    expect(await now([ada], "provider")).toEqual([ada.roles]);
    expect(await now([ada])).toEqual([[]]);
    await setRoles("abe", []);
    expect(await now([abe], "provider")).toEqual([[]]);
    await deactivate("ada");
    expect(await now([ada], "provider")).toEqual([null]);
  });

  it("are looked up once for all that a transaction judges", async () => {
    let queries = 0;
    await house.acting.inTenant("acme", async (tx) => {
      const counted = tx.withPlugin({
        transformQuery: ({ node }) => {
          queries += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const accounts = openAccounts({ tx: counted as typeof tx, tenant: "acme", rolesFrom: "account" });
      await accounts.load(["ada", "abe", "erin", "nobody"]);
      for (const one of [ada, abe, erin, { ...ada, id: "nobody" }, ada]) await accounts.now(one);
    });
    expect(queries).toBe(1);
  });
});
