import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withLock } from "./lock.ts";

let root: string;
let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "countersign-lock-"));
  folder = join(root, "lock");
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

it("lets one at a time in, among processes that all begin by breaking a dead holder's lock", async () => {
  await killedHolder();
  const counter = join(root, "counter");
  await writeFile(counter, "0");
  // Each step reads, yields to the others, and writes: two inside at once would lose a step.
  const step = `const n = Number(await readFile(${q(counter)}, "utf8")); await new Promise(setImmediate); await writeFile(${q(counter)}, String(n + 1));`;
  const workers = Array.from({ length: 5 }, () =>
    run(`for (let i = 0; i < 20; i++) await withLock(${q(folder)}, patience, async () => { ${step} });`),
  );
  const codes = await Promise.all(workers.map(async (worker) => (await once(worker, "close"))[0]));
  expect(codes).toEqual([0, 0, 0, 0, 0]);
  expect(await readFile(counter, "utf8")).toBe("100");
  expect(await readdir(folder)).toHaveLength(1);
});

it("lets one at a time in within one process", async () => {
  let inside = 0;
  let most = 0;
  const enter = () =>
    withLock(folder, soon(30_000), async () => {
      inside += 1;
      most = Math.max(most, inside);
      await readdir(root);
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 8 }, enter));
  expect(most).toBe(1);
});

it("does not take the lock from a live holder, and names it", async () => {
  const holder = await liveHolder();
  const attempt = withLock(folder, soon(0), async () => {});
  await expect(attempt).rejects.toMatchObject({ code: "database_start_failed", facts: { pid: holder.pid } });
});

it("throws what its caller says of a live holder, and nothing of that where the work itself failed", async () => {
  const onHeld = (pid: number) => new Error(`held by ${pid}`);
  const holder = await liveHolder();
  await expect(withLock(folder, { ...soon(0), onHeld }, async () => {})).rejects.toThrow(`held by ${holder.pid}`);
  holder.kill("SIGKILL");
  await once(holder, "close");
  const fail = withLock(folder, { ...soon(0), onHeld }, async () => {
    throw new Error("work failed");
  });
  await expect(fail).rejects.toThrow("work failed");
});

it("takes the lock from a holder that died", async () => {
  await killedHolder();
  expect(await withLock(folder, soon(0), async () => "in")).toBe("in");
});

it("takes the lock from a holder whose pid now belongs to another process", async () => {
  const holder = await liveHolder();
  const [name = ""] = await readdir(folder);
  await writeFile(join(folder, name), JSON.stringify({ pid: holder.pid, life: "an earlier life" }));
  expect(await withLock(folder, soon(0), async () => "in")).toBe("in");
});

it("is free again after work that failed", async () => {
  const fail = withLock(folder, soon(0), async () => {
    throw new Error("work failed");
  });
  await expect(fail).rejects.toThrow("work failed");
  expect(await withLock(folder, soon(0), async () => "in")).toBe("in");
});

async function killedHolder(): Promise<void> {
  const holder = await liveHolder();
  holder.kill("SIGKILL");
  await once(holder, "close");
}

async function liveHolder(): Promise<ChildProcess> {
  const holder = run(
    `await withLock(${q(folder)}, patience, () => new Promise(() => { console.log("in"); setInterval(() => {}, 1000); }));`,
  );
  if (holder.stdout !== null) await once(holder.stdout, "data");
  return holder;
}

function run(body: string): ChildProcess {
  const module = new URL("./lock.ts", import.meta.url).href;
  const source = `import { readFile, writeFile } from "node:fs/promises"; import { withLock } from ${q(module)};
    const patience = { deadlineMs: Date.now() + 60000 }; ${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return child;
}

function soon(ms: number) {
  return { deadlineMs: Date.now() + ms };
}

function q(text: string): string {
  return JSON.stringify(text);
}
