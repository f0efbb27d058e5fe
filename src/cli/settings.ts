import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { newApiKey } from "../identity/keys.ts";
import { withLock } from "../store/embedded/lock.ts";

const personForm = z.strictObject({ tenant: z.string(), id: z.string(), name: z.string(), roles: z.array(z.string()) });

/** Secrets of one installation, in a file that only its owner reads. In production a vault holds them, per process. */
export const settingsForm = z.strictObject({
  version: z.literal(1),
  payloadKey: z.string(),
  deskKey: z.string(),
  deskPublicKey: z.string(),
  policyKey: z.string(),
  /** With which a person signs what is exempt from the privacy boundary; an installation from before it gets one. */
  privacyKeys: z.strictObject({ secret: z.string(), open: z.string() }).default(newKeys),
  /** With which checkpoints of the ledger are signed; an installation from before it gets one. */
  ledgerKeys: z.strictObject({ secret: z.string(), open: z.string() }).default(newKeys),
  rolePasswords: z.strictObject({
    deciding: z.string(),
    desk: z.string(),
    acting: z.string(),
    /** Of the fourth login; an installation from before it gets one at its next start. */
    ingesting: z.string().default(password),
  }),
  /** People of sandboxes, whose keys the demo shows. */
  people: z.array(personForm.extend({ key: z.string() })),
  /** People that an earlier version kept here; `start` puts them into the table of accounts. */
  accounts: z.array(personForm.extend({ hashes: z.looseObject({ desk: z.string() }) })).optional(),
  /** A word of this installation alone: an output that holds it comes from where none should. */
  canary: z.string().default(newCanary),
  /** The sandbox's slices were opened by its people; done once. */
  slicesOpened: z.boolean(),
});

/** What `start` keeps in `<directory>/secrets/settings.json`. */
export type Settings = z.infer<typeof settingsForm>;
export type DemoPerson = Settings["people"][number];

/**
 * Reads an installation's settings, or makes them on first use. People of the sandbox that are new get a key; nobody who is known is
 * dropped, since the next start may be with their project again.
 */
export function openSettings({
  directory,
  people,
}: {
  directory: string;
  people: readonly Omit<DemoPerson, "key">[];
}): Promise<Settings> {
  return changeSettings(directory, (known) => {
    const keyOf = (person: Omit<DemoPerson, "key">): string =>
      known.people.find((one) => isSame(one, person))?.key ?? newApiKey();
    const named = people.map(({ tenant, id, name, roles }) => ({ tenant, id, name, roles: [...roles] }));
    const others = known.people.filter((one) => !named.some((person) => isSame(one, person)));
    return { ...known, people: [...named.map((person) => ({ ...person, key: keyOf(person) })), ...others] };
  });
}

/** Changes an installation's settings, made on first use, while nobody else does. */
export function changeSettings(directory: string, change: (known: Settings) => Settings): Promise<Settings> {
  return withLock(join(directory, "settings.lock"), { deadlineMs: Date.now() + 10_000 }, async () => {
    const settings = change((await readSettings(directory)) ?? makeSettings());
    await keepSettings(directory, settings);
    return settings;
  });
}

/** Says whether two records are of one person: ids are a tenant's own. */
export function isSame(one: Pick<DemoPerson, "tenant" | "id">, other: Pick<DemoPerson, "tenant" | "id">): boolean {
  return one.tenant === other.tenant && one.id === other.id;
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
async function keepSettings(directory: string, settings: Settings): Promise<void> {
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
    deskPublicKey: publicText(createPublicKey(desk)),
    policyKey: privateText(policy),
    privacyKeys: newKeys(),
    ledgerKeys: newKeys(),
    rolePasswords: { deciding: password(), desk: password(), acting: password(), ingesting: password() },
    people: [],
    canary: newCanary(),
    slicesOpened: false,
  };
}

function newKeys(): { secret: string; open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { secret: privateText(privateKey), open: publicText(publicKey) };
}

function publicText(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).toString("base64");
}

function privateText(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "der" }).toString("base64");
}

function password(): string {
  return randomBytes(24).toString("base64url");
}

function newCanary(): string {
  return `canary-${randomBytes(12).toString("hex")}`;
}
