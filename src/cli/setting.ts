import { CountersignError } from "../contract/errors.ts";

/** A setting of a process that has no vault. Throws `configuration_invalid` where it is missing. */
export function settingOf(name: string): string {
  const value = process.env[name]?.trim() ?? "";
  if (value === "")
    throw new CountersignError("configuration_invalid", `\`${name}\` is not set; see docs/settings.md`, { facts: { name } });
  return value;
}
