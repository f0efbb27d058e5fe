import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../client/index.ts";
import { CountersignError } from "../contract/errors.ts";
import { type WriterRole, writerRoles } from "../contract/words.ts";
import { type Child, startChild } from "./children.ts";
import { processEnvironments } from "./environments.ts";
import { areSlicesOpen, type Installation, prepareInstallation } from "./installation.ts";
import { freePort, portNumber, refuseTakenPort } from "./port.ts";
import { isRunning, readRunFile, removeRunFile, writeRunFile } from "./run-file.ts";
import { keepSettings } from "./settings.ts";

interface StartOptions {
  readonly port: string;
  readonly directory: string;
  readonly project: string;
  readonly json?: true;
}

/** Starts everything on this machine and stays until it is stopped. Three processes, three environments, three database roles. */
export async function start({ port, directory: folder, project: projectFolder, json }: StartOptions): Promise<void> {
  const directory = resolve(folder);
  const deskPort = portNumber(port);
  await refuseSecondStart(directory);
  await refuseTakenPort(deskPort);
  const say = json === true ? () => {} : (line: string) => console.log(line);
  say("countersign: one machine, development strength. Starting the database …");
  const installation = await prepareInstallation({ directory, project: resolve(projectFolder) });
  const children = await startChildren({ installation, directory, project: resolve(projectFolder), deskPort, say });
  const url = children.desk.ready.url ?? "";
  await writeRunFile(directory, { pid: process.pid, url, children: Object.values(children).map((child) => child.pid()) });
  const stopped = stopSignal();
  await openSlices({ installation, directory, url });
  if (json === true) console.log(JSON.stringify({ ready: url, pid: process.pid, directory }));
  else sayReady(installation, url);
  await stopped;
  await stopAll({ children, installation, directory });
}

async function refuseSecondStart(directory: string): Promise<void> {
  const run = await readRunFile(directory);
  if (run === null || !(await isRunning(run))) return;
  throw new CountersignError("already_running", `this installation is already running at ${run.url}; open it, or end it with \`countersign stop\``, {
    facts: { url: run.url, pid: run.pid },
  });
}

type Children = Readonly<Record<WriterRole, Child>>;

async function startChildren({
  installation,
  directory,
  project,
  deskPort,
  say,
}: {
  installation: Installation;
  directory: string;
  project: string;
  deskPort: number;
  say: (line: string) => void;
}): Promise<Children> {
  const { settings, adminUrl, secrets } = installation;
  const onRestart = (role: WriterRole) => say(`the ${role} process ended; it was started again`);
  const ports = { desk: deskPort, decider: await freePort() };
  const env = processEnvironments({ settings, adminUrl, project, directory, secrets, ports });
  const begun = await Promise.allSettled(writerRoles.map((role) => startChild({ role, env: env[role], directory, onRestart })));
  const [deciding, desk, acting] = begun.map((one) => (one.status === "fulfilled" ? one.value : undefined));
  if (deciding !== undefined && desk !== undefined && acting !== undefined) return { deciding, desk, acting };
  await Promise.all([deciding, desk, acting].map((child) => child?.stop()));
  await installation.stopDatabase();
  throw begun.find((one) => one.status === "rejected")?.reason;
}

/** The people of the sandbox open its slices over HTTP, as anybody would: signed at the desk, written by the acting process. */
async function openSlices({ installation, directory, url }: { installation: Installation; directory: string; url: string }): Promise<void> {
  const { sandbox, settings, adminUrl } = installation;
  if (sandbox === null || settings.slicesOpened) return;
  for (const { by, capability, slice, thresholdPpm } of sandbox.slices) {
    const person = settings.people.find((one) => one.id === by);
    if (person !== undefined) await createClient({ baseUrl: url, apiKey: person.key }).openSlice({ capability, slice, thresholdPpm });
  }
  const end = performance.now() + 10_000;
  while (performance.now() < end && !(await areSlicesOpen({ adminUrl, sandbox }))) await pause(50);
  await keepSettings(directory, { ...settings, slicesOpened: true });
}

function sayReady({ settings, sandbox }: Installation, url: string): void {
  if (sandbox !== null) {
    console.log("Replies come from a script, not from a model. Made-up people to sign in as:");
    for (const { name, roles } of settings.people) console.log(`  ${name} (${roles.join(", ")})`);
    console.log('Try "My mouse is broken, please replace it", or see README.md. Stop with ctrl-c or `countersign stop`.');
  }
  console.log(`ready ${url}`);
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

async function stopAll({
  children,
  installation,
  directory,
}: {
  children: Children;
  installation: Installation;
  directory: string;
}): Promise<void> {
  await Promise.all(Object.values(children).map((child) => child.stop()));
  await installation.stopDatabase();
  await removeRunFile(directory);
}
