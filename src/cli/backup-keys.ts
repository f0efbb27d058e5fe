import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { type Manifest, payloadKeyCheck, type SignedManifest } from "../ledger/backup/manifest.ts";
import { publicKeysOf, readSigningKey, type SigningKey } from "../store/signature.ts";
import { openUnder } from "../vault/passphrase.ts";
import { writeWhole } from "../vault/write-whole.ts";
import { payloadKeyOf } from "./payload-key.ts";
import { given } from "./setting.ts";
import { changeSettings, readSettings, settingsForm } from "./settings.ts";

const vaultFiles = ["vault.json", "vault-deciding.key", "vault-desk.key", "vault-acting.key"] as const;

const bundleForm = z.strictObject({
  /** `null` where an installation has its keys from the environment alone. */
  settings: settingsForm.nullable(),
  payloadKey: z.string(),
  ledgerKey: z.string(),
  /** The files of the vault that stand beside the settings. */
  vault: z.partialRecord(z.enum(vaultFiles), z.string()),
});

/** The keys of an installation, as a backup holds them under a passphrase. */
type KeyBundle = z.infer<typeof bundleForm>;

/** The keys that a backup wants to be read with. */
export interface RestoringKeys {
  readonly payloadKey: Buffer;
  readonly ledgerKey: SigningKey;
  readonly ledgerSecret: string;
  readonly bundle: KeyBundle | null;
}

/** Reads what goes into a backup with `--with-keys`. */
export async function keysOfInstallation(directory: string): Promise<KeyBundle> {
  const settings = await readSettings(directory);
  const payloadKey = (await payloadKeyOf(directory)).toString("base64");
  const ledgerKey = given("COUNTERSIGN_LEDGER_KEY") ?? settings?.ledgerKeys.secret ?? "";
  const vault: Record<string, string> = {};
  for (const name of vaultFiles) {
    const text = await readFile(join(directory, "secrets", name), "utf8").catch(() => null);
    if (text !== null) vault[name] = text;
  }
  return { settings, payloadKey, ledgerKey, vault };
}

/** The passphrase in a file or in COUNTERSIGN_BACKUP_PASSPHRASE, without a line end. Throws `configuration_invalid` without one. */
export async function readPassphrase(file: string | undefined): Promise<string> {
  const passphrase = await passphraseGiven(file);
  if (passphrase !== null) return passphrase;
  const message = "there is no passphrase for the keys; set COUNTERSIGN_BACKUP_PASSPHRASE, or name a file with --passphrase-file";
  throw new CountersignError("configuration_invalid", message);
}

/**
 * Finds the keys of a backup: in the environment, in the settings of the folder, or in the backup under its passphrase. Throws `backup_unreadable` for
 * a wrong passphrase or a manifest that the ledger's key did not sign, and `configuration_invalid` where keys are missing or are others.
 */
export async function keysToRestore(
  { manifest, keyId, isSignedUnder }: SignedManifest,
  { directory, passphraseFile }: { directory: string; passphraseFile: string | undefined },
): Promise<RestoringKeys> {
  const bundle = await openBundle(manifest, passphraseFile);
  const settings = await readSettings(directory);
  const payload = given("COUNTERSIGN_PAYLOAD_KEY") ?? settings?.payloadKey ?? bundle?.payloadKey;
  const ledger = given("COUNTERSIGN_LEDGER_KEY") ?? settings?.ledgerKeys.secret ?? bundle?.ledgerKey;
  if (payload === undefined || ledger === undefined) throw new CountersignError("configuration_invalid", missing(manifest));
  const [payloadKey, ledgerKey] = [Buffer.from(payload, "base64"), readSigningKey(ledger)];
  const isPayloadKey = (text: string): boolean => payloadKeyCheck(Buffer.from(text, "base64")) === manifest.payloadKeyCheck;
  const others = settings === null ? [] : [settings.payloadKey];
  if (![payload, ...others].every(isPayloadKey)) throw notThese("payload key");
  if (ledgerKey.keyId !== keyId) throw notThese("ledger key");
  if (isSignedUnder(publicKeysOf(ledgerKey))) return { payloadKey, ledgerKey, ledgerSecret: ledger, bundle };
  const message =
    "the ledger's key did not sign the manifest of this backup: it was altered; nothing was restored, use another copy of it";
  throw new CountersignError("backup_unreadable", message);
}

/**
 * Puts the keys into the folder of a restored installation that has none: those of the backup, or for an embedded database new ones around the
 * payload key and the ledger's.
 */
export async function placeKeys(
  { payloadKey, ledgerSecret, ledgerKey, bundle }: RestoringKeys,
  { directory, isEmbedded }: { directory: string; isEmbedded: boolean },
): Promise<void> {
  if ((await readSettings(directory)) !== null) return;
  const kept = bundle?.settings ?? null;
  if (kept === null && !isEmbedded) return;
  const secrets = join(directory, "secrets");
  await mkdir(secrets, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(bundle?.vault ?? {})) await writeWhole(join(secrets, name), text);
  const [open] = publicKeysOf(ledgerKey).values();
  const ledgerKeys = { secret: ledgerSecret, open: open?.export({ type: "spki", format: "der" }).toString("base64") ?? "" };
  await changeSettings(directory, (made) => ({ ...(kept ?? made), payloadKey: payloadKey.toString("base64"), ledgerKeys }));
}

async function openBundle({ keys }: Manifest, passphraseFile: string | undefined): Promise<KeyBundle | null> {
  const passphrase = keys === null ? null : await passphraseGiven(passphraseFile);
  if (keys === null || passphrase === null) return null;
  const text = openUnder(passphrase, keys);
  if (text !== null) return bundleForm.parse(JSON.parse(text));
  const message =
    "the keys in this backup do not open: the passphrase is another one, or they were altered; nothing was restored";
  throw new CountersignError("backup_unreadable", message);
}

async function passphraseGiven(file: string | undefined): Promise<string | null> {
  if (file === undefined) return given("COUNTERSIGN_BACKUP_PASSPHRASE") ?? null;
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new CountersignError("configuration_invalid", "the file with the passphrase cannot be read", { cause });
  });
  return text.replace(/\r?\n$/, "");
}

function missing({ keys }: Manifest): string {
  const elsewhere = "set COUNTERSIGN_PAYLOAD_KEY and COUNTERSIGN_LEDGER_KEY, or put the kept `secrets` into the folder";
  const where =
    keys === null ? "the backup holds no keys" : "the backup's keys want their passphrase (COUNTERSIGN_BACKUP_PASSPHRASE)";
  return `there is no payload key and no ledger key to restore with: ${where}; ${elsewhere}`;
}

function notThese(which: string): CountersignError {
  const message = `the ${which} is not the one of this backup; give the one that the installation had. Nothing was restored`;
  return new CountersignError("configuration_invalid", message);
}
