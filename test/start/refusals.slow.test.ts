import { execFileSync } from "node:child_process";
import { access, chown, constants, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isGone, until } from "../postgres/embedded/server.ts";
import { answers, begin, databaseOf, newFolder, patience, processesOf, remove, run, started } from "./installation.ts";

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});
afterEach(() => remove(directory), 60_000);

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

describe("a start", () => {
  test("is refused where another program has the port, and leaves nothing behind", patience, async () => {
    const { port, close } = await otherProgram();
    try {
      const refused = await run(["start", "--directory", directory, "--json"], { env: { PORT: String(port) } });
      expect(refused).toMatchObject({ code: 2, stderr: "" });
      expect(JSON.parse(refused.stdout)).toMatchObject({
        error: { code: "port_taken", facts: { port }, message: expect.stringContaining("set `PORT`") },
      });
      expect((await readdir(directory)).filter((name) => name !== "start.lock")).toEqual([]);
      expect(await databaseOf(directory).catch(() => [])).toEqual([]);
    } finally {
      await close();
    }
  });

  test("of two at the same instant one wins, on the port that was asked for, and the other is refused", patience, async () => {
    const { port, close } = await otherProgram();
    await close();
    const env = { PORT: String(port) };
    const both = [1, 2].map(() => begin(["start", "--directory", directory], { env }));
    const lost = await Promise.race(both.map((one) => one.ended));
    expect(lost).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("already_running") });
    const winner = both.find((one) => one.child.exitCode === null);
    await until(async () => winner?.child.exitCode !== null || winner.output().includes(`ready http://127.0.0.1:${port}`));
    expect(await answers(`http://127.0.0.1:${port}`)).toBe(true);
    const left = [...(await processesOf(directory)).all, ...(await databaseOf(directory))];
    winner?.child.kill("SIGTERM");
    expect(await winner?.ended).toMatchObject({ code: 0, stderr: "" });
    expect((await Promise.all(left.map(isGone))).every((gone) => gone)).toBe(true);
  });

  test.each(["--port=seven", "--port=70000", "--port=-1"])("is refused with `%s`", patience, async (port) => {
    expect(await run(["start", "--directory", directory, port])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("configuration_invalid"),
    });
  });

  test("is refused where the folder is a file", patience, async () => {
    await writeFile(directory, "mine");
    const refused = await run(["start", "--directory", directory, "--port", "0"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^configuration_invalid: .* cannot be written/) });
    expect(await readFile(directory, "utf8")).toBe("mine");
  });

  test("is refused in a folder that it may not write", patience, async (context) => {
    await mkdir(directory, { mode: 0o555 });
    const user = isRoot ? await otherUser() : undefined;
    if (isRoot && user === undefined) return context.skip("another user cannot read this checkout");
    const refused = await run(["start", "--directory", directory, "--port", "0"], user === undefined ? {} : { user });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^configuration_invalid: .* cannot be written \(EACCES\)/),
    });
  });

  test(
    "is refused where the settings are gone and the database is not, since new keys would read nothing",
    patience,
    async () => {
      await mkdir(`${directory}/postgres`, { recursive: true });
      const refused = await run(["start", "--directory", directory, "--port", "0"]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is missing beside its database") });
      expect(await readdir(directory)).not.toContain("secrets");
    },
  );

  test("is refused with damaged settings, which stay as they are", patience, async () => {
    await mkdir(`${directory}/secrets`, { recursive: true });
    await writeFile(`${directory}/secrets/settings.json`, '{"version":1,');
    const refused = await run(["start", "--directory", directory, "--port", "0"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is damaged") });
    expect(await readFile(`${directory}/secrets/settings.json`, "utf8")).toBe('{"version":1,');
  });

  test("works for a user without privileges, who owns what it makes", patience, async (context) => {
    const user = isRoot ? await otherUser() : undefined;
    if (user === undefined)
      return context.skip(isRoot ? "another user cannot read this checkout" : "the other tests run without privileges");
    await mkdir(directory);
    await chown(directory, user.uid, user.gid);
    const start = await started(directory, { user });
    expect((await stat(`${directory}/secrets/settings.json`)).uid).toBe(user.uid);
    expect((await stat(`${directory}/secrets/settings.json`)).mode & 0o077).toBe(0);
    start.child.kill("SIGTERM");
    expect(await start.ended).toMatchObject({ code: 0, stderr: "" });
  });
});

test("an old Node says in one sentence what it lacks", async (context) => {
  const node = await oldNode();
  if (node === undefined) return context.skip("this machine has no Node older than 22.18");
  const { code, stdout, stderr } = await run(["start"], { node });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^countersign needs Node 22\.18 or newer, this is \d+\.\d+\.\d+; [^\n]+\n$/);
});

/** Something of somebody else that listens. */
function otherProgram(): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      resolve({ port, close: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/** A user that owns nothing here, if that user can read the checkout. */
async function otherUser(): Promise<typeof nobody | undefined> {
  const { code } = await run(["--version"], { user: nobody });
  return code === 0 ? nobody : undefined;
}

async function oldNode(): Promise<string | undefined> {
  for (const path of ["/usr/bin/node", "/usr/local/bin/node"]) {
    if (
      !(await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )) ||
      !(await stat(path)).isFile()
    )
      continue;
    const [major = 99, minor = 0] = execFileSync(path, ["--version"], { encoding: "utf8" }).slice(1).split(".").map(Number);
    if (major < 22 || (major === 22 && minor < 18)) return path;
  }
  return undefined;
}
