import { resolve } from "node:path";
import { type CountersignError, isCountersignError, messageOf } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import { inviteFirstOwner } from "../identity/invitation.ts";
import { startChildren } from "./children.ts";
import { boundaryIsOff } from "./deciding-secrets.ts";
import { type DeclaredProviders, refuseMixedSecrets } from "./declared-secrets.ts";
import { demoPeople, processEnvironments } from "./environments.ts";
import { type Installation, prepareInstallation } from "./installation.ts";
import { keepDatabase } from "./keep-database.ts";
import { hasEntry, loadEntry } from "./load.ts";
import { makeDirectory } from "./make-directory.ts";
import { openSlices } from "./open-slices.ts";
import { freePort, portNumber, refuseTakenPort } from "./port.ts";
import { awaitEarlierProcesses } from "./processes.ts";
import { removeRunFile, thisProcess, writeRunFile } from "./run-file.ts";
import { withStartLock } from "./start-lock.ts";
import { vaultVariables } from "./vault-place.ts";

interface StartOptions {
  readonly port: string;
  readonly directory: string;
  readonly project: string;
  readonly json?: true;
}

/** One start: where, what, and how it is told to end; `end` aborts with an error where a process was given up. */
interface Start {
  readonly directory: string;
  readonly project: string;
  readonly deskPort: number;
  readonly end: AbortController;
  readonly say: (line: string) => void;
  /** `invitation` is the first owner's one-time link, where nobody is known yet. */
  readonly sayReady: (ready: { prepared: Prepared; url: string; invitation: string | null }) => void;
}

/**
 * Starts everything on this machine and stays until it is stopped. Three processes, three environments, three database roles.
 * Throws `already_running`, `port_taken`, or what keeps a process from starting; then nothing is left running.
 */
export async function start({ port, directory: folder, project, json }: StartOptions): Promise<void> {
  const end = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => end.abort());
  const isForPeople = json !== true;
  const one: Start = {
    directory: resolve(folder),
    project: resolve(project),
    deskPort: portNumber(port),
    end,
    say: isForPeople ? (line) => console.log(line) : () => {},
    sayReady: isForPeople
      ? sayReady
      : ({ url, invitation }) =>
          console.log(
            JSON.stringify({
              ready: url,
              pid: process.pid,
              directory: resolve(folder),
              ...(invitation === null ? {} : { firstOwner: invitation }),
            }),
          ),
  };
  await makeDirectory(one.directory);
  await withStartLock(one.directory, () => run(one));
}

async function run(start: Start): Promise<void> {
  const { directory, end, say } = start;
  await awaitEarlierProcesses(directory);
  await refuseTakenPort(start.deskPort);
  await writeRunFile(directory, { url: null, pids: [] });
  const undo: (() => Promise<void>)[] = [async () => removeRunFile(directory, await thisProcess())];
  try {
    say("countersign: one machine, development strength. Starting the database …");
    const installation = await open(start, undo);
    await aborted(end.signal);
    say(`stopping ${installation.sandbox === null ? "the processes" : "the demo"} and the database …`);
  } catch (thrown) {
    if (!end.signal.aborted || isCountersignError(thrown)) throw thrown;
    say("stopped before it was ready");
  } finally {
    for (const step of undo.reverse()) await step();
  }
  if (isCountersignError(end.signal.reason)) throw end.signal.reason;
}

/** Opens the parts one after the other; each leaves behind how it is ended. */
async function open(start: Start, undo: (() => Promise<void>)[]): Promise<Installation> {
  const { directory, project, end, say } = start;
  const prepared = await prepare(start, undo);
  const { installation } = prepared;
  const { withoutBoundary } = prepared.providers;
  if (withoutBoundary.length > 0) say(boundaryIsOff(withoutBoundary));
  const giveUp = (error: CountersignError): void => end.abort(error);
  const ports = { desk: start.deskPort, decider: await freePort() };
  const env = processEnvironments({ ...installation, project, directory, ports, vaults: await vaultVariables(directory) });
  let written = Promise.resolve();
  const tell = (): Promise<void> => {
    written = written
      .then(() => writeRunFile(directory, { url: children.url, pids: children.pids() }))
      .catch((thrown) => say(messageOf(thrown)));
    return written;
  };
  const children = await startChildren({
    env,
    hasDocuments: prepared.hasDocuments,
    directory,
    say,
    onPid: tell,
    onGivenUp: giveUp,
  });
  undo.push(async () => {
    await children.stop();
    await written;
  });
  await tell();
  if (installation.isEmbedded) undo.push(keepDatabase({ directory, say, onGivenUp: giveUp }));
  await openSlices({ installation, directory, url: children.url, signal: end.signal });
  end.signal.throwIfAborted();
  const word = installation.sandbox === null ? await inviteFirstOwner(installation.adminUrl) : null;
  const invitation = word === null ? null : `${children.url}/first-owner?word=${word}`;
  start.sayReady({ prepared, url: children.url, invitation });
  return installation;
}

/** What stands before the processes start. */
interface Prepared {
  readonly installation: Installation;
  readonly providers: DeclaredProviders;
  /** Whether the project says where documents come from, or what gives them vectors. */
  readonly hasDocuments: boolean;
}

/** The project is checked while the database starts; where either fails, no database is left running. */
async function prepare({ directory, project, end }: Start, undo: (() => Promise<void>)[]): Promise<Prepared> {
  const [prepared, checked, loaded] = await Promise.allSettled([
    prepareInstallation({ directory, project, signal: end.signal }),
    refuseMixedSecrets(project),
    loadEntry<Project>(project, "project"),
  ]);
  if (prepared.status === "fulfilled") undo.push(prepared.value.stopDatabase);
  if (checked.status === "rejected") throw checked.reason;
  if (loaded.status === "rejected") throw loaded.reason;
  if (prepared.status === "rejected") throw prepared.reason;
  end.signal.throwIfAborted();
  const hasDocuments = loaded.value.sources.length > 0 || hasEntry(project, "ingest");
  return { installation: prepared.value, providers: checked.value, hasDocuments };
}

function sayReady({ prepared, url, invitation }: Parameters<Start["sayReady"]>[0]): void {
  const { settings, sandbox } = prepared.installation;
  if (sandbox !== null) {
    if (prepared.providers.realProviders.length === 0) console.log("Replies come from a script, not from a model.");
    console.log("Made-up people to sign in as:");
    for (const { name, roles } of demoPeople({ settings, sandbox })) console.log(`  ${name} (${roles.join(", ")})`);
    const tries =
      sandbox.suggests === undefined ? "See README.md for what to try." : `Try "${sandbox.suggests}", or see README.md.`;
    console.log(`${tries} Stop with ctrl-c or \`countersign stop\`.`);
  }
  if (invitation !== null)
    console.log(`Nobody is known here yet. This link makes the first owner, once, within 15 minutes:\n  ${invitation}`);
  console.log(`ready ${url}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
