import { existsSync } from "node:fs";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";
import { type DataClass, dataClasses, type KnownValue, type PrivacyFiles } from "../contract/privacy.ts";
import type { Exemptions } from "../guard/privacy/exemptions.ts";

/** The files of a project's folder that say something of privacy. */
export const privacyFile = "privacy.json";
export const exemptionsFile = "privacy-exemptions.json";
const termsFolder = "privacy-terms";

/**
 * Reads what a project's folder says of privacy; none of it has to be there. Throws `configuration_invalid` for a file that cannot be read,
 * is no JSON, or is a dictionary whose name is no tenant's: what is misnamed would protect nobody.
 */
export async function readPrivacyFiles(project: string, publicKeys: readonly string[]): Promise<PrivacyFiles> {
  const [policy, exemptions, dictionaries] = await Promise.all([
    jsonAt(project, privacyFile),
    jsonAt(project, exemptionsFile),
    readDictionaries(project),
  ]);
  return { policy, exemptions, publicKeys, dictionaries };
}

/** The public keys that a setting names, joined by commas. */
export function publicKeysIn(setting: string | undefined): readonly string[] {
  return (setting ?? "").split(",").flatMap((key) => (key.trim() === "" ? [] : [key.trim()]));
}

/** Writes a project's exemptions whole or not at all, in an order that does not depend on when which was signed. */
export async function writeExemptions(project: string, { version, exemptions }: Exemptions): Promise<void> {
  const path = join(resolve(project), exemptionsFile);
  const draft = `${path}.${process.pid}`;
  const sorted = exemptions.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await writeFile(draft, `${JSON.stringify({ version, exemptions: sorted }, null, 2)}\n`);
  await rename(draft, path);
}

function keyOf({ provider, keyId }: Exemptions["exemptions"][number]): string {
  return `${provider} ${keyId}`;
}

async function jsonAt(project: string, file: string): Promise<unknown> {
  const path = join(resolve(project), file);
  if (!existsSync(path)) return null;
  const text = await readFile(path, "utf8").catch(() => {
    throw invalid(`\`${file}\` of the project cannot be read`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`\`${file}\` of the project is no JSON`);
  }
}

async function readDictionaries(project: string): Promise<PrivacyFiles["dictionaries"]> {
  const folder = join(resolve(project), termsFolder);
  if (!existsSync(folder)) return new Map();
  const files = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  const read = files.map(async (file): Promise<[string, readonly KnownValue[]]> => {
    const tenant = file.replace(/[.]txt$/, "");
    if (!file.endsWith(".txt") || !idPattern.test(tenant))
      throw invalid(`\`${termsFolder}\` holds \`${file}\`, which is no dictionary; name it after a tenant, such as \`acme.txt\``);
    return [tenant, knownValuesIn(await readFile(join(folder, file), "utf8"))];
  });
  return new Map(await Promise.all(read));
}

/** One value a line; a line may begin with a class of data and a colon, and one that begins with `#` says something to people. */
function knownValuesIn(text: string): readonly KnownValue[] {
  return text.split(/\r?\n/).flatMap((line): KnownValue[] => {
    const said = line.trim();
    if (said === "" || said.startsWith("#")) return [];
    const colon = said.indexOf(":");
    const of = dataClasses.find((one) => one === said.slice(0, Math.max(0, colon)).trim());
    const value = of === undefined ? said : said.slice(colon + 1).trim();
    return value === "" ? [] : [{ value, class: of ?? ("term" satisfies DataClass) }];
  });
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
