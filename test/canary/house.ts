import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { withOwnerUrl } from "../../src/cli/embedded-url.ts";
import { readSettings } from "../../src/cli/settings.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { addTenants } from "../../src/store/owner.ts";
import { type MisbehavingModel, openMisbehavingModel } from "../../src/testing/index.ts";
import { putSecret } from "../../src/vault/file.ts";
import { makeKeyFile } from "../../src/vault/key-files.ts";
import { putTestPeople, type TestPerson } from "../setup/people.ts";
import { newFolder, type Started, started } from "../start/installation.ts";
import type { Canary, Output } from "./forms.ts";
import { openShop, type Shop } from "./shop.ts";

const tenant = "acme";
// Characters that each encoding writes otherwise, around a core that a cut value still holds.
const newCanary = () => ({ core: randomBytes(12).toString("hex"), around: (core: string) => `Zq+/&"${core}=%20'~` });

/** An installation of real processes in which every secret is a canary, with the model and the shop that it talks to. */
export interface CanaryHouse {
  readonly directory: string;
  readonly project: string;
  readonly start: Started;
  readonly shop: Shop;
  readonly model: MisbehavingModel;
  readonly keys: Readonly<Record<"asker" | "approver" | "owner", string>>;
  readonly canaries: readonly Canary[];
  /** Does `work` with a connection of the owner. */
  readonly asOwner: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  /** Everything that the database holds: each row as text, each bytea as bytes, each payload in clear. */
  readonly database: () => Promise<Output[]>;
}

/** Builds the house and starts it. The decider's key of the model and the writing credential are in the vault file, the others in the environment. */
export async function openCanaryHouse(): Promise<CanaryHouse> {
  const directory = await newFolder();
  const project = join(directory, "..", "project");
  const shop = await openShop();
  const model = await openMisbehavingModel({
    answers: ({ text }) =>
      text.includes("REFUSE THE KEY")
        ? { kind: "error", status: 401, quotesKey: true }
        : { kind: "reply", text: JSON.stringify({ note: "noted", confidence: 0.99 }) },
  });
  const values = { SHOP_READ: newCanary(), SHOP_WRITE: newCanary(), SHOP_OBSERVE: newCanary(), MODEL_KEY: newCanary() };
  const passwordOf = (name: keyof typeof values) => values[name].around(values[name].core);
  const secrets = {
    SHOP_READ: shop.urlFor("read", passwordOf("SHOP_READ")),
    SHOP_WRITE: shop.urlFor("write", passwordOf("SHOP_WRITE")),
    SHOP_OBSERVE: shop.urlFor("observe", passwordOf("SHOP_OBSERVE")),
    MODEL_KEY: passwordOf("MODEL_KEY"),
  };
  const keys = { asker: newKey(), approver: newKey(), owner: newKey() };
  await putProject({ project, modelUrl: model.url });
  const vaultKeys = await fillVault(directory, secrets);
  const start = await started(directory, {
    env: {
      COUNTERSIGN_PROJECT: project,
      // Elsewhere a slice is opened on evidence alone, of which a house that has just been built has none.
      COUNTERSIGN_ENVIRONMENT: "demo",
      SHOP_READ: secrets.SHOP_READ,
      SHOP_OBSERVE: secrets.SHOP_OBSERVE,
      COUNTERSIGN_DECIDING_SECRETS: "SHOP_READ",
      COUNTERSIGN_ACTING_SECRETS: "SHOP_OBSERVE",
    },
  });
  const asOwner: CanaryHouse["asOwner"] = (work) => withOwnerUrl(directory, (adminUrl) => connected(adminUrl, work));
  await withOwnerUrl(directory, async (adminUrl) => {
    await addTenants({ adminUrl, tenants: [{ id: tenant, name: "Acme" }] });
    await putTestPeople(adminUrl, peopleOf(keys));
  });
  const canaries = [
    ...Object.entries(values).flatMap(([name, { core }]) => [{ name: `the core of ${name}`, value: core }]),
    ...Object.keys(values).map((name) => ({ name, value: passwordOf(name as keyof typeof values) })),
    ...Object.entries(keys).map(([name, key]) => ({ name: `the API key of the ${name}`, value: key })),
    ...vaultKeys,
    ...(await ownCanaries(directory)),
  ];
  return { directory, project, start, shop, model, keys, canaries, asOwner, database: () => databaseOf({ directory, asOwner }) };
}

function newKey(): string {
  return `csk_${randomBytes(24).toString("base64url")}`;
}

/** People are known from the moment they are added, while everything runs. */
function peopleOf(keys: CanaryHouse["keys"]): TestPerson[] {
  const person = (id: string, roles: string[], key: string) => ({ tenant, id, roles, key });
  return [
    person("emp-1", ["employee"], keys.asker),
    person("emp-2", ["employee", "approver"], keys.approver),
    person("emp-3", ["owner", "auditor"], keys.owner),
  ];
}

async function putProject({ project, modelUrl }: { project: string; modelUrl: string }): Promise<void> {
  const quoted = (file: URL) => JSON.stringify(file.href);
  const options = JSON.stringify({ modelUrl, spansFile: join(project, "spans.txt") });
  await mkdir(project);
  await writeFile(
    join(project, "project.ts"),
    `export { project as default } from ${quoted(new URL("./tickets.ts", import.meta.url))};\n`,
  );
  await writeFile(
    join(project, "hands.ts"),
    `export { hands as default } from ${quoted(new URL("./acting.ts", import.meta.url))};\n`,
  );
  await writeFile(
    join(project, "decide.ts"),
    `import { decidingWith } from ${quoted(new URL("./deciding.ts", import.meta.url))};\nexport default decidingWith(${options});\n`,
  );
}

/** Two secrets in the vault file, whose keys are where the command line puts them. */
async function fillVault(
  directory: string,
  { MODEL_KEY, SHOP_WRITE }: Record<"MODEL_KEY" | "SHOP_WRITE", string>,
): Promise<Canary[]> {
  const folder = join(directory, "secrets");
  const path = join(folder, "vault.json");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const deciding = await makeKeyFile(join(folder, "vault-deciding.key"));
  const acting = await makeKeyFile(join(folder, "vault-acting.key"));
  await putSecret({ path, side: "deciding", keys: [deciding] }, { name: "MODEL_KEY", purpose: "models", value: MODEL_KEY });
  await putSecret({ path, side: "acting", keys: [acting] }, { name: "SHOP_WRITE", purpose: "writes", value: SHOP_WRITE });
  const named = { "the vault's deciding key": deciding, "the vault's acting key": acting };
  return Object.entries(named).map(([name, key]) => ({ name, value: key.export() }));
}

/** What the installation made for itself: the text that its settings hold, and the bytes that the text stands for. */
async function ownCanaries(directory: string): Promise<Canary[]> {
  const settings = await readSettings(directory);
  if (settings === null) throw new Error("there are no settings");
  const { payloadKey, deskKey, policyKey, privacyKeys, ledgerKeys, rolePasswords } = settings;
  const own = { "the payload key": payloadKey, "the desk's key": deskKey, "the policy's key": policyKey };
  const encoded = { ...own, "the key of exemptions": privacyKeys.secret, "the key of checkpoints": ledgerKeys.secret };
  return [
    ...Object.entries(encoded).flatMap(([name, value]) => [
      { name, value },
      // Of a private key in PKCS8 the last 32 bytes are the key; what is before them every such key has.
      { name: `the bytes of ${name}`, value: Buffer.from(value, "base64").subarray(-32) },
    ]),
    ...Object.entries(rolePasswords).map(([role, value]) => ({ name: `the password of ${role}`, value })),
  ];
}

async function connected<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function databaseOf({ directory, asOwner }: Pick<CanaryHouse, "directory" | "asOwner">): Promise<Output[]> {
  const settings = await readSettings(directory);
  return asOwner(async (client) => {
    const salted = await client.query<{ key_salt: Buffer }>("select key_salt from countersign.tenant where id = $1", [tenant]);
    const salts = { saltOf: () => salted.rows[0]?.key_salt ?? null, know: async () => {} };
    const keys = payloadKeys(Buffer.from(settings?.payloadKey ?? "", "base64"), undefined, salts);
    const columns = await client.query<{ table: string; column: string; type: string }>(
      `select table_name as table, column_name as column, data_type as type from information_schema.columns
        join information_schema.tables using (table_schema, table_name)
        where table_schema = 'countersign' and table_type = 'BASE TABLE' order by 1, 2`,
    );
    const outputs: Output[] = [];
    for (const { table, column, type } of columns.rows) {
      const as = type === "bytea" ? `"${column}"` : `"${column}"::text`;
      const { rows } = await client.query<{ value: Buffer | string | null }>(`select ${as} as value from countersign."${table}"`);
      const bytes = Buffer.concat(rows.flatMap(({ value }) => (value === null ? [] : [Buffer.from(value), Buffer.from("\n")])));
      outputs.push({ place: `the column ${table}.${column}`, bytes });
    }
    const { rows } = await client.query<{ tenant: string; entry_id: string; body: Buffer }>(
      "select tenant, entry_id, body from countersign.payload where body is not null",
    );
    for (const { tenant: of, entry_id, body } of rows) {
      const bodies = keys.decrypt({ tenant: of, entryId: entry_id, body });
      outputs.push({ place: `the payload of ${entry_id}`, bytes: Buffer.from(JSON.stringify(bodies)) });
      for (const { name, text } of bodies) outputs.push({ place: `the body ${name} of ${entry_id}`, bytes: Buffer.from(text) });
    }
    return outputs;
  });
}
