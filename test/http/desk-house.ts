import { generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import { keyScopes } from "../../src/contract/identity.ts";
import { createDecider } from "../../src/decider.ts";
import { createDesk } from "../../src/desk.ts";
import type { Policy } from "../../src/guard/policy/policy.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { deciderRoutes } from "../../src/server/decider/routes.ts";
import type { EventLimits } from "../../src/server/desk/event-limits.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { listen } from "../../src/server/listen.ts";
import { addMcp } from "../../src/server/mcp/mcp-http.ts";
import type { RateLimits } from "../../src/server/rates.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { openTestDoors, putTestPeople } from "../setup/people.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase } from "../setup/project-database.ts";
import { parts, projectOf } from "./desk-project.ts";
import { openActing } from "./left-to-people.ts";

/** People of the tests; a key is as good as its person. */
const people = [
  { tenant: "acme", id: "ada", name: "Ada Lind", roles: ["employee"], key: "key-of-ada-0001" },
  { tenant: "acme", id: "ben", name: "Ben Okoro", roles: ["employee", "approver"], key: "key-of-ben-0001" },
  { tenant: "acme", id: "bea", name: "Bea Holm", roles: ["approver"], key: "key-of-bea-0001" },
  { tenant: "acme", id: "cleo", name: "Cleo Sund", roles: ["employee", "owner"], key: "key-of-cleo-001" },
  { tenant: "acme", id: "audra", name: "Audra Falk", roles: ["auditor"], key: "key-of-audra-01" },
  // Agents that ask for somebody else, with keys for everything: what they may not do is policy's to say.
  { tenant: "acme", id: "bot", name: "Bot", roles: ["employee"], key: "key-of-bot-0001", onBehalfOf: "ada", scopes: keyScopes },
  { tenant: "acme", id: "bot2", name: "Bot", roles: ["employee"], key: "key-of-bot2-001", onBehalfOf: "cleo", scopes: keyScopes },
  { tenant: "globex", id: "gus", name: "Gus Berg", roles: ["employee", "approver"], key: "key-of-gus-0001" },
];
type Name = "ada" | "ben" | "bea" | "cleo" | "audra" | "bot" | "bot2" | "gus";

/** The key of a person. */
export function keyOf(name: Name): string {
  return people.find((one) => one.id === name)?.key ?? "";
}

/** A decider and a desk over a database of their own, both listening. */
export type DeskHouse = Awaited<ReturnType<typeof openDeskHouse>>;

/** Opens the house. `isDemo` offers the people for signing in without a key. */
export async function openDeskHouse({
  isDemo = true,
  policy = shippedPolicy,
  ...limits
}: {
  isDemo?: boolean;
  policy?: Policy;
  rates?: RateLimits;
  events?: EventLimits;
} = {}) {
  const store = await createMigratedDatabase();
  const owner = new pg.Pool({ connectionString: store.adminUrl, max: 1 });
  const payloadKey = randomBytes(32);
  const common = { project: projectOf("1"), clock: systemClock, ids: uuidIds(systemClock), environment: "demo", payloadKey };
  await putTestPeople(store.adminUrl, people);
  const faults: unknown[] = [];
  const log = (fault: { cause: unknown }) => void faults.push(fault.cause);
  const onError = (thrown: unknown) => void faults.push(thrown);
  const deciding = openDatabase({ url: store.urls.deciding, role: "deciding" });
  const signing = openDatabase({ url: store.urls.desk, role: "desk" });
  const doors = openTestDoors({ desk: signing, deciding });
  const vault = environmentVault({ side: "deciding", env: { NOTES_READ: "any" }, declared: { reads: ["NOTES_READ"] } });
  const decider = await createDecider({ policy, ...common, parts, database: deciding, vault, onError });
  const deciderDoor = deciderRoutes({ decider, identify: doors.identify, log });
  const deciderServer = await listen({ app: deciderDoor, host: "127.0.0.1", port: 0 });
  const acting = openDatabase({ url: store.urls.acting, role: "acting", connections: 2 });
  const { privateKey } = generateKeyPairSync("ed25519");
  const deskKey = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const desk = createDesk({ policy, ...common, database: signing, deskKey });
  const time = { ms: Date.now() };
  const doorOf = (deciderUrl: string, of = desk) => {
    const demoPeople = isDemo ? people : null;
    const door = deskRoutes({ desk: of, ...doors, deciderUrl, demoPeople, log, now: () => time.ms, ...limits });
    addMcp(door);
    return door;
  };
  const open = (deciderUrl: string, of = desk) => listen({ app: doorOf(deciderUrl, of), host: "127.0.0.1", port: 0 });
  const deskDoor = doorOf(deciderServer.url);
  const server = await listen({ app: deskDoor, host: "127.0.0.1", port: 0 });
  const opened = [server];
  return {
    url: server.url,
    desk,
    deciderUrl: deciderServer.url,
    /** What the desk would send the decider for somebody. */
    assertionOf: (name: Name) => doors.assertionOf(keyOf(name)),
    /** Both doors with their tables of routes, and how they know people. */
    ...{ doors, deskDoor, deciderDoor, adminUrl: store.adminUrl, urls: store.urls },
    time,
    faults,
    owner,
    acting: openActing({ acting, keys: payloadKeys(payloadKey, pooledRandom()), ids: common.ids }),
    /** A second desk whose decider is somewhere else. */
    openDeskBefore: async (deciderUrl: string) => {
      const other = await open(deciderUrl);
      opened.push(other);
      return other.url;
    },
    /** A second decider before which so many requests are in work at once, and no more. */
    openBusyDecider: async (mostAtOnce: number) => {
      const app = deciderRoutes({ decider, identify: doors.identify, log, mostAtOnce });
      const other = await listen({ app, host: "127.0.0.1", port: 0 });
      opened.push(other);
      return other.url;
    },
    /** A second desk, over the same database, to which every capability has a newer version. */
    openNewerDesk: async () => {
      const newer = createDesk({ policy, ...common, project: projectOf("2"), database: signing, deskKey });
      const other = await open(deciderServer.url, newer);
      opened.push(other);
      return other.url;
    },
    /** Makes the payload of a decision one that does not decrypt. */
    spoil: async (decisionId: string) => {
      const of = "(select id from countersign.entry where decision_id = $1 and kind in ('decided', 'stopped'))";
      await owner.query(`update countersign.payload set body = '\\x01' where entry_id = ${of}`, [decisionId]);
    },
    close: async () => {
      await Promise.all([...opened, deciderServer].map((one) => one.close()));
      await decider.close();
      await Promise.all([deciding.close(), signing.close(), acting.close(), owner.end()]);
      await store.drop();
    },
  };
}
