import { afterAll, beforeAll, expect, test } from "vitest";
import { isGone, killIfThere, until } from "../postgres/embedded/server.ts";
import { type Begun, begin, databaseOf, loggersOf, newFolder, processesOf, remove, run, started } from "../start/installation.ts";

// The first start makes keys, a database, roles, a sandbox and an open slice. It is killed at ever later moments, in one folder, and
// with it everything that it began; then a start that is left alone must find a folder that it can complete.
let directory: string;
beforeAll(async () => {
  directory = await newFolder();
});
afterAll(() => remove(directory), 60_000);

const kills = 24;

test("a first start that was killed at many moments is completed by the next", async () => {
  const quiet = await durationOfFirstStart();
  for (let kill = 1; kill <= kills; kill += 1) {
    const start = begin(["start", "--directory", directory, "--port", "0"]);
    // A later start skips what an earlier one has finished, so that these moments fall into every part of the work.
    await Promise.race([start.ended, after((quiet * kill) / kills)]);
    await killAll(start, kill);
    await start.ended;
  }
  const running = await started(directory);
  const asked = await run(["ask", "My mouse is broken, please replace it", "--json", "--wait", "60", "--directory", directory]);
  // Applied without a person: the slice is open, by a signature that the acting half took.
  expect(JSON.parse(asked.stdout)).toMatchObject({ decision: { route: "auto", state: "done" } });
  const verified = await run(["ledger", "verify", "--json", "--directory", directory]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ tenants: [{ tenant: "acme", broken: null }] });
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
});

test("a start that is asked to end before it is ready leaves nothing running, at any moment", async () => {
  for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const folder = await newFolder();
    try {
      const start = begin(["start", "--directory", folder, "--port", "0"]);
      await Promise.race([start.ended, after((await durationOfFirstStart()) * share)]);
      start.child.kill("SIGTERM");
      const { code, stderr } = await start.ended;
      // In its first moments it has not yet begun to listen for signals, and nothing has been begun either.
      expect({ code: code ?? 0, stderr }).toEqual({ code: 0, stderr: "" });
      expect(await databaseOf(folder).catch(() => [])).toEqual([]);
      expect(await loggersOf(folder)).toEqual([]);
      await expect(processesOf(folder)).rejects.toThrow("ENOENT");
    } finally {
      await remove(folder);
    }
  }
});

let measured: Promise<number> | undefined;

/** How long a first start takes here and now, in milliseconds: the moments are shares of it. */
function durationOfFirstStart(): Promise<number> {
  measured ??= (async () => {
    const folder = await newFolder();
    const begun = performance.now();
    await started(folder);
    const duration = performance.now() - begun;
    await remove(folder);
    return duration;
  })();
  return measured;
}

/** The start and the database; at every second kill the processes too, which else end by themselves. */
async function killAll({ child }: Begun, kill: number): Promise<void> {
  child.kill("SIGKILL");
  const processes = await loggersOf(directory);
  const database = await databaseOf(directory).catch(() => []);
  for (const pid of [...database, ...(kill % 2 === 0 ? processes : [])]) killIfThere(pid);
  await until(async () => (await Promise.all([...processes, ...database].map(isGone))).every((gone) => gone));
}

/** Not a wait for a condition: the moment itself is what the test varies. */
function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
