import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepPassword, readPassword } from "./password.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "countersign-password-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it("makes a password once and keeps it", async () => {
  const password = await keepPassword(directory);
  expect(password).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect(await keepPassword(directory)).toBe(password);
  expect(await readPassword(directory)).toBe(password);
  expect((await stat(join(directory, "secrets", "admin-password"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(directory, "secrets"))).mode & 0o777).toBe(0o700);
});

it("makes a new one where a crash left an empty file", async () => {
  await keepPassword(directory);
  await writeFile(join(directory, "secrets", "admin-password"), "");
  expect(await keepPassword(directory)).toMatch(/^[A-Za-z0-9_-]{32}$/);
});

it("names the file when it is lost", async () => {
  const file = join(directory, "secrets", "admin-password");
  await expect(readPassword(directory)).rejects.toMatchObject({ code: "database_start_failed", facts: { file } });
});
