import { CountersignError } from "../contract/errors.ts";

/** A setting as it is in the environment; one that is empty is unset. */
export function given(name: string): string | undefined {
  const value = process.env[name];
  return value === "" ? undefined : value;
}

/** A setting of a process that has no vault. Throws `configuration_invalid` where it is missing. */
export function settingOf(name: string): string {
  const value = process.env[name]?.trim() ?? "";
  if (value === "")
    throw new CountersignError("configuration_invalid", `\`${name}\` is not set; see docs/settings.md`, { facts: { name } });
  return value;
}
