import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everything } from "../../src/contract/principal.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { openTestDoors, putTestPeople, type TestDoors } from "../setup/people.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// An agent is no way around what was taken from its person.
const keys = { ada: "key-of-ada-for-agents", bot: "key-of-bot-for-agents" };
let store: MigratedDatabase;
let owner: pg.Pool;
let databases: Record<"desk" | "deciding", Database>;
let doors: TestDoors;
beforeAll(async () => {
  store = await createMigratedDatabase();
  owner = new pg.Pool({ connectionString: store.adminUrl, max: 1 });
  await putTestPeople(store.adminUrl, [
    { tenant: "acme", id: "ada", roles: ["employee"], key: keys.ada },
    { tenant: "acme", id: "bot", roles: ["employee"], key: keys.bot, onBehalfOf: "ada" },
  ]);
  const open = (role: "desk" | "deciding") => openDatabase({ url: store.urls[role], role, connections: 2 });
  databases = { desk: open("desk"), deciding: open("deciding") };
  doors = openTestDoors(databases);
});
afterAll(async () => {
  await Promise.all([databases?.desk.close(), databases?.deciding.close(), owner?.end()]);
  await store?.drop();
});

const give = (id: string, roles: readonly string[], allow: object = everything) =>
  owner.query("update countersign.account set roles = $2, allow = $3 where id = $1", [id, roles, JSON.stringify(allow)]);

/** The agent at each door: by its key, in a session that began before, and at the decider. */
async function atEachDoor() {
  const { identities, identify, assertionOf } = doors;
  const byKey = await identities.ofCredential(keys.bot);
  const again = byKey === undefined ? undefined : await identities.again(byKey);
  return [byKey, again, await identify(await assertionOf(keys.bot))];
}

it.each([
  [["employee"], ["employee"], ["employee"]],
  [["employee", "owner"], ["employee"], ["employee"]],
  [["employee"], ["employee", "owner"], ["employee"]],
  [["employee", "auditor"], ["owner"], []],
  [[], ["employee"], []],
  [
    ["auditor", "employee"],
    ["employee", "auditor", "owner"],
    ["auditor", "employee"],
  ],
])("an agent with the roles %j of a person with %j has %j at each door", async (agent, person, both) => {
  await give("bot", agent);
  await give("ada", person);
  for (const found of await atEachDoor()) expect(found?.principal.roles).toEqual(both);
  expect((await doors.identities.ofCredential(keys.ada))?.principal.roles).toEqual(person);
});

it("an agent's lists are cut to its person's, kind by kind", async () => {
  await give("bot", ["employee"], { ...everything, records: ["a", "b"], effects: [] });
  await give("ada", ["employee"], { ...everything, records: ["b", "c"], documents: ["d"] });
  const cut = { capabilities: "all", records: ["b"], documents: ["d"], effects: [] };
  for (const found of await atEachDoor()) expect(found?.principal.allow).toEqual(cut);
});

it("lists of a person that are missing are an error at the agent's door too, never everything", async () => {
  await give("bot", ["employee"]);
  await give("ada", ["employee"], { capabilities: "all" });
  await expect(doors.identities.ofCredential(keys.bot)).rejects.toThrow();
  await give("ada", ["employee"]);
});

it("a deactivated person's agent is nobody at each door, and so is one of a person who is there no more", async () => {
  const { identities, identify, assertionOf } = doors;
  const known = await identities.ofCredential(keys.bot);
  const assertion = await assertionOf(keys.bot);
  await owner.query("update countersign.account set state = 'deactivated' where id = 'ada'");
  expect(known).toBeDefined();
  expect(await identities.ofCredential(keys.bot)).toBeUndefined();
  expect(known === undefined ? undefined : await identities.again(known)).toBeUndefined();
  expect(await identify(assertion)).toBeUndefined();
  await owner.query("update countersign.account set state = 'active' where id = 'ada'");
  expect(await identities.ofCredential(keys.bot)).toBeDefined();
});

it("roles that an assertion names for an agent are not believed", async () => {
  await give("bot", ["employee"]);
  await give("ada", ["employee"]);
  const known = await doors.identities.ofCredential(keys.bot);
  if (known === undefined) throw new Error("the agent is known");
  const claimed = { ...known, rolesFrom: "token", principal: { ...known.principal, roles: ["owner"] } } as const;
  expect((await doors.identify(await doors.assert(claimed)))?.principal.roles).toEqual(["employee"]);
});
