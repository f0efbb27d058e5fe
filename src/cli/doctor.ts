import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { isCountersignError, messageOf } from "../contract/errors.ts";
import { type DatabaseRole, databaseRoles } from "../contract/words.ts";
import { oldestUnsealedMs } from "../ledger/unsealed.ts";
import { openDatabase } from "../store/database.ts";
import { embeddedStatus } from "../store/embedded.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { hasEntry } from "./load.ts";
import { print } from "./print.ts";
import { boundaryOf } from "./privacy-state.ts";
import { readRunFile, stateOf } from "./run-file.ts";
import { readSettings } from "./settings.ts";

/** One thing that was looked at: how it is, and what to do where it is not well. */
interface Look {
  readonly name: string;
  readonly state: "well" | "note" | "broken";
  readonly detail: string;
}

/** Looks at what this installation needs and says how to mend what is wrong; exit code 1 where something is broken. */
export async function doctor({
  directory: folder,
  project,
  json,
}: {
  directory: string;
  project: string;
  json?: true;
}): Promise<void> {
  const directory = resolve(folder);
  const looks = [lookAtNode(), lookAtProject(project), await lookAtSettings(directory), await lookAtDatabase(directory)];
  if (looks.every((look) => look.state !== "broken") && looks[2]?.state === "well") looks.push(...(await lookAtRoles(directory)));
  const canSeal = looks.some((look) => look.name === "role acting" && look.state === "well");
  const processes = await lookAtProcesses(directory);
  if (canSeal) looks.push(...(await lookAtSealing(directory, processes.state === "well")));
  looks.push(processes, await lookAtBoundary({ project, directory }));
  const marks = { well: "ok  ", note: "note", broken: "BAD " };
  print({ json, value: { looks }, lines: looks.map((look) => `${marks[look.state]} ${look.name}: ${look.detail}`) });
  if (looks.some((look) => look.state === "broken")) process.exitCode = 1;
}

function lookAtNode(): Look {
  return { name: "node", state: "well", detail: process.versions.node };
}

function lookAtProject(project: string): Look {
  const missing = (["project", "decide", "hands"] as const).filter((file) => !hasEntry(project, file));
  if (missing.length === 0) return { name: "project", state: "well", detail: project };
  return {
    name: "project",
    state: "broken",
    detail: `\`${project}\` lacks ${missing.map((file) => `${file}.ts`).join(", ")}; name it with --project`,
  };
}

/** What stands between the project and its providers, and whether what is switched off was signed for. */
async function lookAtBoundary({ project, directory }: { project: string; directory: string }): Promise<Look> {
  const name = "privacy boundary";
  try {
    return { name, ...(await boundaryOf({ project, directory })) };
  } catch (thrown) {
    if (isCountersignError(thrown, "boundary_unsigned")) return { name, state: "broken", detail: thrown.message };
    return { name, state: "note", detail: `not looked at: ${messageOf(thrown)}` };
  }
}

async function lookAtSettings(directory: string): Promise<Look> {
  try {
    if ((await readSettings(directory)) === null)
      return { name: "settings", state: "note", detail: "none yet; `countersign start` makes them" };
    return { name: "settings", state: "well", detail: `${(await readdir(directory)).length} files in ${directory}` };
  } catch (thrown) {
    return { name: "settings", state: "broken", detail: messageOf(thrown) };
  }
}

async function lookAtDatabase(directory: string): Promise<Look> {
  const status = await embeddedStatus({ directory }).catch((thrown: unknown) => thrown);
  if (typeof status !== "object" || status === null || !("kind" in status))
    return { name: "database", state: "broken", detail: messageOf(status) };
  if (status.kind === "running") return { name: "database", state: "well", detail: "the embedded PostgreSQL runs" };
  return { name: "database", state: "note", detail: "the embedded PostgreSQL does not run; `countersign start` starts it" };
}

async function lookAtRoles(directory: string): Promise<Look[]> {
  const isRunning = (await embeddedStatus({ directory })).kind === "running";
  return Promise.all(
    databaseRoles
      .filter((role) => isRunning || process.env[`COUNTERSIGN_${role.toUpperCase()}_URL`] !== undefined)
      .map(async (role): Promise<Look> => {
        try {
          const tenants = await withRoleUrl({ directory, role }, (url) => tenantsSeenBy(role, url));
          return { name: `role ${role}`, state: "well", detail: `logs in and sees ${tenants.length} tenants` };
        } catch (thrown) {
          return { name: `role ${role}`, state: "broken", detail: `${messageOf(thrown)}; start again, or set its URL` };
        }
      }),
  );
}

async function tenantsSeenBy(role: DatabaseRole, url: string): Promise<readonly string[]> {
  const database = openDatabase({ url, role, connections: 1 });
  try {
    return await database.tenants();
  } finally {
    await database.close();
  }
}

/** How old an entry may get before its seal, in milliseconds, while a worker runs; it seals four times a second. */
const sealedWithinMs = 60_000;

/** Tells for each tenant how old its oldest entry without a seal is: nothing protects what is not sealed, and nothing admits it. */
function lookAtSealing(directory: string, isRunning: boolean): Promise<Look[]> {
  return withRoleUrl({ directory, role: "acting" }, async (url) => {
    const database = openDatabase({ url, role: "acting", connections: 1 });
    try {
      const looks: Look[] = [];
      for (const tenant of await database.tenants()) {
        looks.push(sealingOf(tenant, await oldestUnsealedMs({ database, tenant }), isRunning));
      }
      return looks;
    } finally {
      await database.close();
    }
  });
}

function sealingOf(tenant: string, oldestMs: number | null, isRunning: boolean): Look {
  const name = `sealing ${tenant}`;
  if (oldestMs === null) return { name, state: "well", detail: "every entry is sealed" };
  const age = `the oldest entry without a seal is ${Math.round(oldestMs / 1000)} s old`;
  if (oldestMs <= sealedWithinMs) return { name, state: "well", detail: age };
  if (!isRunning) return { name, state: "note", detail: `${age}; \`countersign start\` seals it` };
  const detail = `${age}; see \`work.log\`, and \`pg_stat_activity\` for a transaction that stays open`;
  return { name, state: "broken", detail };
}

async function lookAtProcesses(directory: string): Promise<Look> {
  const name = "processes";
  const run = await readRunFile(directory);
  if (run === null) return { name, state: "note", detail: "not running; `countersign start` starts them" };
  switch (await stateOf(run)) {
    case "answers":
      return { name, state: "well", detail: `the desk answers at ${run.url}` };
    case "silent":
      return {
        name,
        state: "broken",
        detail: "they run and the desk does not answer; wait a moment, then see `desk.log`, or stop and start again",
      };
    case "gone":
      return { name, state: "broken", detail: "they were ended without `countersign stop`; start again, which recovers" };
  }
}
