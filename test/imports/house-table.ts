import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The folder of the repository, absolute and without a trailing slash. */
export const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

const rule = z.object({ name: z.string() });

const houseTable = z.object({
  table: z.record(z.string(), z.object({ may: z.array(z.string()), reason: z.string().min(20) })),
  units: z.array(z.string()),
  pure: z.array(z.string()),
  packages: z.record(z.string(), z.object({ in: z.array(z.string()), reason: z.string().min(20) })),
  reach: z.record(z.string(), z.object({ from: z.array(z.string()), to: z.array(z.string()), reason: z.string().min(20) })),
});

const configuration = z.object({
  forbidden: z.array(rule.loose()),
  options: z.record(z.string(), z.unknown()),
  houseTable: houseTable.extend({ pattern: z.function({ input: [z.string()], output: z.string() }) }),
});

/** Reads the rules and the import table out of `.dependency-cruiser.cjs`; throws when either has lost its shape. */
export function readHouseTable() {
  const loaded: unknown = createRequire(import.meta.url)(`${repository}/.dependency-cruiser.cjs`);
  return configuration.parse(loaded);
}

/** The unit of the table that a path below the repository belongs to, or null when it escapes the table. */
export function unitOf(path: string): string | null {
  const { units, pattern } = readHouseTable().houseTable;
  return units.find((unit) => new RegExp(pattern(unit)).test(path)) ?? null;
}
