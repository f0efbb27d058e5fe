import { resolve } from "node:path";
import type { Command } from "commander";
import { readVaultFile } from "../vault/file.ts";
import { namesOf } from "../vault/file-form.ts";
import { hasEntry } from "./load.ts";
import { print } from "./print.ts";
import { settingFaults } from "./setting-faults.ts";
import { readSettings } from "./settings.ts";
import { type SettingInForce, settingsInForce } from "./settings-in-force.ts";
import { vaultPath } from "./vault-place.ts";

interface ConfigOptions {
  readonly directory: string;
  readonly project: string;
  readonly port: string;
  readonly json?: true;
}

/**
 * Prints every setting that is in force here and where it comes from; of a secret, whether it is set. Exit code 1 where one is wrong. Throws
 * `configuration_invalid` for an installation whose files cannot be read.
 */
export async function config({ directory: folder, project, json, ...options }: ConfigOptions, command: Command): Promise<void> {
  const directory = resolve(folder);
  const flags = {
    ...(isFlag(command, "project") ? { COUNTERSIGN_PROJECT: project } : {}),
    ...(isFlag(command, "port") ? { PORT: options.port } : {}),
  };
  const kept = await readVaultFile(vaultPath({ directory }));
  const place = {
    ...{ directory, project, settings: await readSettings(directory), hasSandbox: hasEntry(project, "sandbox") },
    vault: kept === null ? null : vaultPath({ directory }),
  };
  const inVault = namesOf(kept ?? {}).flatMap(({ name, purpose }) => (purpose === "own" ? [name] : []));
  const settings = settingsInForce(place, { env: process.env, flags, inVault });
  const faults = settingFaults({ ...process.env, ...flags });
  const lines = [
    `installation ${directory}${place.settings === null ? ", where nothing was started yet" : ""}`,
    ...settings.map(lineOf),
    ...faults.map(({ name, problem }) => `error: ${name}: ${problem}`),
  ];
  print({ json, value: { directory, isInstalled: place.settings !== null, settings, faults }, lines });
  if (faults.length > 0) process.exitCode = 1;
}

function isFlag(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) === "cli";
}

function lineOf({ name, isSet, value, source, note }: SettingInForce): string {
  const shown = value ?? (isSet ? "set" : "not set");
  const from = source === "nobody" ? [] : [source];
  const told = [...from, ...(note === null ? [] : [note])].join("; ");
  return `${name}=${shown}${told === "" ? "" : `  (${told})`}`;
}
