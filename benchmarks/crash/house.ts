/** The house under fire: a database, a target, and the three halves of the product as processes under their own roles. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/index.ts";
import { hashOfKey } from "../../src/identity/keys.ts";
import { putPeople } from "../../src/identity/manage-accounts.ts";
import { startLoop } from "../../src/store/loop.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import { addTenants } from "../../src/store/owner.ts";
import { type Owner, openOwner } from "./book.ts";
import { type Bundle, bundlePrograms } from "./bundle.ts";
import { environments, peopleOf, staffOf } from "./environments.ts";
import type { Door, People } from "./flows.ts";
import { type Role, times } from "./plan.ts";
import { createPool, type Pool, type Slot } from "./pool.ts";
import { capabilityName, openSlice } from "./project/project.ts";
import { startServer } from "./server.ts";
import type { Exposed } from "./storm.ts";
import { startTarget } from "./target.ts";

/** Everything that runs. Close it. */
export interface House extends Exposed {
  readonly directory: string;
  readonly owner: Owner;
  readonly doors: readonly Door[];
  readonly people: readonly People[];
  readonly tenants: readonly string[];
  readonly actingUrl: string;
  readonly payloadKey: Buffer;
  readonly heads: string;
  /** Starts workers of their own for a control, in the place of the usual ones; with these the take-over comes sooner. */
  readonly replaceWorkers: (takeOverMs: number) => Promise<void>;
  /** What a pool of further processes is made from. */
  readonly program: Bundle["program"];
  readonly forPool: { readonly env: NodeJS.ProcessEnv; readonly directory: string };
  readonly close: () => Promise<void>;
}

const tenants = ["acme", "globex"];
const doorCount = 2;
const workerCount = 3;

/** Opens the house; every process works when this resolves, and an owner has opened the slice that policy lets through. */
export async function openHouse(): Promise<House> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-crash-"));
  const undo: (() => Promise<void>)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await open(directory, undo)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function open(directory: string, undo: (() => Promise<void>)[]): Promise<Omit<House, "close">> {
  const compiled = join(directory, "compiled");
  const { program, project } = await bundlePrograms(directory, compiled);
  const server = await startServer(join(directory, "project"));
  undo.push(server.close);
  const { adminUrl } = server;
  const passwords = { deciding: newPassword(), desk: newPassword(), acting: newPassword() };
  await migrate({ adminUrl, passwords });
  await addTenants({ adminUrl, tenants: tenants.map((id) => ({ id, name: id })) });
  const owner = openOwner(adminUrl);
  undo.push(owner.close);
  const base = { PATH: process.env["PATH"], HOME: process.env["HOME"], NODE_COMPILE_CACHE: compiled };
  const target = await startTarget({ directory, env: base });
  undo.push(target.close);
  const urlOf = (role: keyof typeof passwords): string => roleUrl({ adminUrl, role, password: passwords[role] });
  const urls = { deciding: urlOf("deciding"), desk: urlOf("desk"), acting: urlOf("acting") };
  const staff = staffOf(tenants);
  const known = staff.map(({ key, ...member }) => ({ ...member, keyHash: hashOfKey(key) }));
  await putPeople(adminUrl, { people: known, follows: false });
  const payloadKey = randomBytes(32);
  const heads = join(directory, "heads");
  const env = environments({ base, project, urls, payloadKey, heads, secrets: target.secrets });
  const { doors, slots } = await openDoors();
  const pools = {} as Record<Role, Pool>; // filled below, once for each role
  const launch = (role: Role, of: { slots: readonly Slot[]; spares: number }): void => {
    pools[role] = createPool({ name: role, program: program(role), env: env[role], directory, ...of });
    undo.push(() => pools[role].close());
  };
  launch("worker", { slots: workerSlots(times.takeOverMs), spares: 3 });
  launch("decider", { slots: slots.decider, spares: 2 });
  launch("desk", { slots: slots.desk, spares: 2 });
  await Promise.all(Object.values(pools).map((pool) => pool.ready()));
  const people = peopleOf(staff);
  const owners = staff.filter(({ id }) => id === "oda");
  await openSlices({ owner, url: doors[0]?.url ?? "", keys: owners.map(({ key }) => key) });
  const keeping = startLoop({
    work: () => openAgain({ owner, url: doors[0]?.url ?? "", owners }),
    everyMs: 1_000,
    onError: () => {},
  });
  undo.push(() => keeping.stop());
  return {
    ...{ directory, owner, server, target, pools, doors, people, tenants, payloadKey, heads, program },
    actingUrl: urls.acting,
    forPool: { env: { ...base, TARGET_WRITE: target.secrets.write, NAIVE_URL: adminUrl }, directory },
    async replaceWorkers(takeOverMs) {
      await pools.worker.close();
      launch("worker", { slots: workerSlots(takeOverMs), spares: 3 });
      await pools.worker.ready();
    },
  };
}

function workerSlots(takeOverMs: number): readonly Slot[] {
  const env = { CRASH_TAKE_OVER_MS: String(takeOverMs) };
  return Array.from({ length: workerCount }, (_, place) => ({ name: `worker-${place}`, env }));
}

/** Each desk with a decider of its own behind it, on ports that stay. */
async function openDoors(): Promise<{ doors: readonly Door[]; slots: Record<"decider" | "desk", readonly Slot[]> }> {
  const ports = await freePorts(2 * doorCount);
  const places = Array.from({ length: doorCount }, (_, place) => ({
    place,
    desk: String(ports[2 * place]),
    decider: String(ports[2 * place + 1]),
  }));
  return {
    doors: places.map(({ place, desk }) => ({ url: `http://127.0.0.1:${desk}`, slots: [`desk-${place}`, `decider-${place}`] })),
    slots: {
      desk: places.map(({ place, desk, decider }) => {
        const env = { PORT: desk, COUNTERSIGN_DECIDER_URL: `http://127.0.0.1:${decider}` };
        return { name: `desk-${place}`, env };
      }),
      decider: places.map(({ place, decider }) => ({ name: `decider-${place}`, env: { COUNTERSIGN_DECIDER_PORT: decider } })),
    },
  };
}

/** Ports that are free now; all are held until the last is found. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function newPassword(): string {
  return randomBytes(18).toString("hex");
}

/** Owners who look each second: what a verdict took back they sign anew, so that policy goes on signing in the storm. */
async function openAgain({
  owner,
  url,
  owners,
}: {
  owner: Owner;
  url: string;
  owners: readonly { readonly tenant: string; readonly key: string }[];
}): Promise<void> {
  const closed = await owner.ask<{ tenant: string }>("select tenant from countersign.slice where threshold_ppm > 1000000");
  for (const { tenant, key: apiKey } of owners) {
    if (!closed.some((one) => one.tenant === tenant)) continue;
    await createClient({ baseUrl: url, apiKey }).openSlice({
      capability: capabilityName,
      slice: openSlice,
      thresholdPpm: 500_000,
    });
  }
}

/** The owners sign at the desk, and the workers set what they signed. */
async function openSlices({ owner, url, keys }: { owner: Owner; url: string; keys: readonly string[] }): Promise<void> {
  for (const apiKey of keys) {
    await createClient({ baseUrl: url, apiKey }).openSlice({
      capability: capabilityName,
      slice: openSlice,
      thresholdPpm: 500_000,
    });
  }
  const end = performance.now() + 30_000;
  for (let open = 0; open < keys.length; ) {
    if (performance.now() > end) throw new Error("the workers did not open the slices that owners signed");
    const [row] = await owner.ask<{ open: number }>("select count(*)::int as open from countersign.slice");
    open = row?.open ?? 0;
  }
}
