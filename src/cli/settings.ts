import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";

/** Secrets of one installation, in a file that only its owner reads. In production a vault holds them, per process. */
const settingsForm = z.strictObject({
  version: z.literal(1),
  payloadKey: z.string(),
  deskKey: z.string(),
  deskPublicKey: z.string(),
  policyKey: z.string(),
  rolePasswords: z.strictObject({ deciding: z.string(), desk: z.string(), acting: z.string() }),
  people: z.array(
    z.strictObject({ tenant: z.string(), id: z.string(), name: z.string(), roles: z.array(z.string()), key: z.string() }),
  ),
  /** The sandbox's slices were opened by its people; done once. */
  slicesOpened: z.boolean(),
});

/** What `start` keeps in `<directory>/secrets/settings.json`. */
export type Settings = z.infer<typeof settingsForm>;
export type DemoPerson = Settings["people"][number];

/** Reads an installation's settings, or makes them on first use. People that were added to the project since get a key. */
export async function openSettings({
  directory,
  people,
}: {
  directory: string;
  people: readonly Omit<DemoPerson, "key">[];
}): Promise<Settings> {
  const known = (await readSettings(directory)) ?? makeSettings();
  const keyed = people.map(({ tenant, id, name, roles }) => ({
    tenant,
    id,
    name,
    roles: [...roles],
    key:
      known.people.find((one) => one.id === id && one.tenant === tenant)?.key ?? `csk_${randomBytes(24).toString("base64url")}`,
  }));
  const settings = { ...known, people: keyed };
  await keepSettings(directory, settings);
  return settings;
}

/**
 * Reads an installation's settings; `null` where nothing was started yet. Throws `configuration_invalid` where they are damaged,
 * unreadable or lost: new keys in their place would make every payload of the ledger unreadable.
 */
export async function readSettings(directory: string): Promise<Settings | null> {
  const text = await readText(directory);
  if (text === null) return null;
  try {
    return settingsForm.parse(JSON.parse(text));
  } catch (cause) {
    throw new CountersignError(
      "configuration_invalid",
      `\`${pathOf(directory)}\` is damaged; restore it, or start anew in another --directory`,
      { cause },
    );
  }
}

/** Writes settings so that a crash leaves the old file or the new one, never half of one. */
export async function keepSettings(directory: string, settings: Settings): Promise<void> {
  await mkdir(join(directory, "secrets"), { recursive: true, mode: 0o700 });
  const draft = `${pathOf(directory)}.draft`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(settings, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, pathOf(directory));
}

async function readText(directory: string): Promise<string | null> {
  const path = pathOf(directory);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
    if (isMissing && !existsSync(join(directory, "postgres"))) return null;
    const message = `\`${path}\` ${isMissing ? "is missing beside its database" : "cannot be read"}; put it back, or start anew in another --directory`;
    throw new CountersignError("configuration_invalid", message, { cause });
  }
}

/** The setting that the decider and the desk read: hashes of keys and whom they belong to. */
export function apiKeysSetting(people: readonly DemoPerson[]): string {
  const list = people.map(({ tenant, id, name, roles, key }) => ({
    hash: createHash("sha256").update(key).digest("hex"),
    tenant,
    id,
    name,
    roles,
  }));
  return JSON.stringify(list);
}

function pathOf(directory: string): string {
  return join(directory, "secrets", "settings.json");
}

function makeSettings(): Settings {
  const desk = generateKeyPairSync("ed25519").privateKey;
  const policy = generateKeyPairSync("ed25519").privateKey;
  return {
    version: 1,
    payloadKey: randomBytes(32).toString("base64"),
    deskKey: privateText(desk),
    deskPublicKey: createPublicKey(desk).export({ type: "spki", format: "der" }).toString("base64"),
    policyKey: privateText(policy),
    rolePasswords: { deciding: password(), desk: password(), acting: password() },
    people: [],
    slicesOpened: false,
  };
}

function privateText(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "der" }).toString("base64");
}

function password(): string {
  return randomBytes(24).toString("base64url");
}
