import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { releaseCells } from "../../src/contract/release.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { run } from "../start/installation.ts";
import { runJson } from "./command.ts";

// The command as a user runs it, on a database server that it starts and removes; what it keeps goes to the installation's own.
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const slow = { timeout: 300_000 };
let installation: MigratedDatabase;
let folder: string;

beforeAll(async () => {
  installation = await createMigratedDatabase();
  folder = await mkdtemp(join(examples, "without-sandbox-"));
});
afterAll(async () => {
  await installation?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function kept(): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: installation.adminUrl });
  await client.connect();
  const { rows } = await client.query("select id, effect, version, environments, passed, writer from countersign.release");
  await client.end();
  return rows;
}

test("tests an effect of the demo, says what each cell came to and keeps it", slow, async () => {
  const env = { COUNTERSIGN_ACTING_URL: installation.urls.acting };
  const { code, json } = await runJson(["effect", "test", "order_replacement"], { env });
  expect(code).toBe(0);
  expect(json).toMatchObject({ effect: "order_replacement", version: "1", isPassed: true, environments: ["demo"] });
  expect(json["cells"]).toMatchObject(releaseCells.map((cell) => ({ cell })));
  expect(await kept()).toEqual([
    { id: json["releaseId"], effect: "order_replacement", version: "1", environments: ["demo"], passed: true, writer: "acting" },
  ]);
});

test("refuses an effect that the project does not have, naming those it has", slow, async () => {
  const { code, stderr } = await run(["effect", "test", "order_pizza"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^effect_unknown: project `it-support` has no effect of that name; it has `create_ticket`, `order_replacement`/,
  );
});

test("refuses a project without a sandbox: nothing else is ever tested on", slow, async () => {
  await cp(join(examples, "it-support"), folder, { recursive: true });
  await rm(join(folder, "sandbox.ts"));
  const { code, stderr } = await run(["effect", "test", "create_ticket", "--project", folder]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^configuration_invalid: .*has no sandbox\.ts/);
});
