import { join, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { DatabaseRole } from "../contract/words.ts";
import type { Project } from "../define/project.ts";
import type { Sandbox, SecretsByName } from "../define/sandbox.ts";
import type { SetCase } from "../evals/case-file.ts";

import { dropDatabase, inDatabase, makeDatabase } from "../store/make-database.ts";
import { roleUrl } from "../store/migrate.ts";
import { processEnvironments } from "./environments.ts";
import { type EvalPeople, planEvalPeople, putEvalPeople } from "./eval-people.ts";
import { type EvalWorld, openWorld } from "./eval-world.ts";
import { fillInstallation } from "./installation.ts";
import { hasEntry, loadEntry } from "./load.ts";
import { makeDirectory } from "./make-directory.ts";
import { openSlices } from "./open-slices.ts";
import { type ScratchServer, withScratchServer } from "./scratch-database.ts";
import { openSettings, type Settings } from "./settings.ts";
import type { TrialSetting } from "./trial.ts";

/** A scratch installation in which eval cases are played: one database server, people, and processes over each world. */
export interface EvalHouse {
  readonly sandbox: Sandbox;
  readonly people: EvalPeople;
  /** The world in which everything is asked and nothing is carried out. */
  readonly asking: EvalWorld;
  /** Does `work` in a world of its own, as the sandbox was at the start, with a worker that carries out what is signed. */
  readonly inFreshWorld: <T>(work: (world: EvalWorld) => Promise<T>) => Promise<T>;
  /** The deciding half's credentials for the sandbox of a world. */
  readonly readingSecrets: (world: EvalWorld) => SecretsByName;
}

/** What a house is built for. */
export interface HouseParts {
  /** The project's folder. */
  readonly folder: string;
  readonly cases: readonly SetCase[];
  /** Values of the keys of models, by name. */
  readonly modelSecrets: SecretsByName;
  /** Another model than the definitions have. */
  readonly model: Omit<TrialSetting, "sent">;
  /** Told where the house stands, before anything is in it. */
  readonly onMade: (directory: string) => Promise<void>;
}

/**
 * Does `work` with a scratch installation of real processes, which is gone afterwards. Throws `configuration_invalid` for a project without
 * a sandbox, and what keeps a process from starting.
 */
export async function withEvalHouse<T>(parts: HouseParts, work: (house: EvalHouse) => Promise<T>): Promise<T> {
  const sandbox = await sandboxOf(parts.folder);
  // Whatever is wrong with whom the cases name is said before anything is started.
  const people = planEvalPeople({ cases: parts.cases, sandbox });
  const { sources } = await loadEntry<Project>(parts.folder, "project");
  const hasDocuments = sources.length > 0 || hasEntry(parts.folder, "ingest");
  const open = new Set<EvalWorld>();
  const stopAll = async (): Promise<void> => void (await Promise.all([...open].map((world) => world.stop())));
  return withScratchServer(async (server) => {
    try {
      await parts.onMade(server.directory);
      return await work(await build({ ...parts, server, sandbox, people, hasDocuments, open }));
    } finally {
      await stopAll();
    }
  }, stopAll);
}

async function sandboxOf(folder: string): Promise<Sandbox> {
  if (hasEntry(folder, "sandbox")) return loadEntry<Sandbox>(folder, "sandbox");
  const message = `\`${folder}\` has no sandbox.ts, and eval cases are played against a sandbox alone; write one`;
  throw new CountersignError("configuration_invalid", message);
}

/** Where the house's own keys are: beside a database there may be none of another installation. */
function homeOf({ directory }: ScratchServer): string {
  return join(directory, "house");
}

interface Building extends HouseParts {
  readonly server: ScratchServer;
  readonly sandbox: Sandbox;
  readonly people: EvalPeople;
  readonly hasDocuments: boolean;
  /** The worlds whose processes run. */
  readonly open: Set<EvalWorld>;
}

/** The database that all others are copies of. */
const first = "eval_first";

/** What every world of one house has in common. */
interface Ground extends Building {
  readonly settings: Settings;
  readonly secrets: { readonly deciding: SecretsByName; readonly acting: SecretsByName };
}

async function build(building: Building): Promise<EvalHouse> {
  const { server, sandbox, people } = building;
  const directory = homeOf(server);
  await makeDirectory(directory);
  const adminUrl = await makeDatabase({ adminUrl: server.adminUrl, name: first });
  const settings = await openSettings({ directory, people: sandbox.people.map((one) => ({ ...one, roles: [...one.roles] })) });
  const { signal } = new AbortController();
  const secrets = await fillInstallation({ adminUrl, settings, sandbox, signal });
  await putEvalPeople(adminUrl, people);
  const ground: Ground = { ...building, settings, secrets };
  const asking = await openAsking(ground, adminUrl);
  let copies = 0;
  return {
    ...{ sandbox, people, asking },
    readingSecrets: (world) => secretsIn(ground, world.adminUrl).deciding,
    inFreshWorld: (work) => {
      copies += 1;
      return inFreshWorld(ground, `eval_world_${copies}`, work);
    },
  };
}

/** Opens the sandbox's slices, then ends the worker: what is let through alone would change what the next case finds. */
async function openAsking(ground: Ground, adminUrl: string): Promise<EvalWorld> {
  const { settings, sandbox, secrets, server, cases } = ground;
  const directory = homeOf(server);
  const world = await openOver(ground, adminUrl, { acts: true });
  const installation = { adminUrl, settings, sandbox, secrets, isEmbedded: true, stopDatabase: async () => {} };
  await openSlices({ installation, directory, url: world.url, signal: new AbortController().signal });
  if (!cases.some(isCarriedOut)) {
    await world.end("acting");
    return world;
  }
  // Nobody may be connected to what is copied, now and for each fresh world.
  await closed(ground, world);
  return openOver(ground, await makeDatabase({ adminUrl: server.adminUrl, name: "eval_asking", copyOf: first }), { acts: false });
}

/** Whether a case is played to its end, with signatures and a worker. */
export function isCarriedOut({ one: { expectations } }: SetCase): boolean {
  return expectations.applied === true || expectations.state.length > 0;
}

async function inFreshWorld<T>(ground: Ground, name: string, work: (world: EvalWorld) => Promise<T>): Promise<T> {
  const { adminUrl } = ground.server;
  const world = await openOver(ground, await makeDatabase({ adminUrl, name, copyOf: first }), { acts: true });
  try {
    return await work(world);
  } finally {
    await closed(ground, world);
    await dropDatabase({ adminUrl, name });
  }
}

async function openOver(ground: Ground, adminUrl: string, { acts }: { acts: boolean }): Promise<EvalWorld> {
  const { server, hasDocuments, open } = ground;
  const directory = join(server.directory, "worlds", new URL(adminUrl).pathname.slice(1));
  const roles: DatabaseRole[] = [
    "deciding",
    "desk",
    ...(acts ? ["acting" as const] : []),
    ...(hasDocuments ? ["ingesting" as const] : []),
  ];
  const environments = (ports: { desk: number; decider: number }) => environmentsOf(ground, { adminUrl, directory, ports });
  const world = await openWorld({ adminUrl, directory, roles, environments });
  open.add(world);
  return world;
}

async function closed({ open }: Ground, world: EvalWorld): Promise<void> {
  await world.stop();
  open.delete(world);
}

function environmentsOf(
  ground: Ground,
  { adminUrl, directory, ports }: { adminUrl: string; directory: string; ports: { desk: number; decider: number } },
): Readonly<Record<DatabaseRole, NodeJS.ProcessEnv>> {
  const { settings, sandbox, folder, model, modelSecrets } = ground;
  const secrets = secretsIn(ground, adminUrl);
  const deciding = { ...modelSecrets, ...secrets.deciding };
  const project = resolve(folder);
  const env = processEnvironments({ settings, sandbox, adminUrl, project, directory, ports, secrets: { ...secrets, deciding } });
  const trial: TrialSetting = { ...model, sent: sentIn(directory) };
  const own = (role: DatabaseRole): NodeJS.ProcessEnv => ({
    ...withoutOutside(env[role]),
    // Whatever logins this process was started with, they are not a scratch database's.
    [`COUNTERSIGN_${role.toUpperCase()}_URL`]: roleUrl({ adminUrl, role, password: settings.rolePasswords[role] }),
  });
  return {
    deciding: { ...own("deciding"), COUNTERSIGN_TRIAL: JSON.stringify(trial) },
    // One client asks for everybody, as fast as it can.
    desk: { ...own("desk"), COUNTERSIGN_ACCOUNT_RATE: "100000", COUNTERSIGN_ADDRESS_RATE: "100000" },
    acting: own("acting"),
    ingesting: own("ingesting"),
  };
}

/** Nothing of a trial is told to a witness, and nobody signs in to it. */
function withoutOutside(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOutside = (name: string) => name === "COUNTERSIGN_LEDGER_WITNESS" || name.includes("_OIDC_");
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOutside(name)));
}

/** Where the decider of a world writes what models are sent. */
export function sentIn(directory: string): string {
  return join(directory, "sent.jsonl");
}

/** The sandbox's credentials as they lead into the copy of a world; those that lead elsewhere stay. */
function secretsIn({ secrets, server }: Ground, adminUrl: string): Ground["secrets"] {
  const { host } = new URL(server.adminUrl);
  const name = new URL(adminUrl).pathname.slice(1);
  const moved = (values: SecretsByName): SecretsByName =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const url = URL.parse(value);
        const isCopied = url?.protocol.startsWith("postgres") === true && url.host === host && url.pathname === `/${first}`;
        return [key, isCopied ? inDatabase(value, name) : value];
      }),
    );
  return { deciding: moved(secrets.deciding), acting: moved(secrets.acting) };
}
