import { type ICruiseOptions, type ICruiseResult, cruise as runCruise } from "dependency-cruiser";
import { readHouseTable } from "./house-table.ts";

/** One refused import or path, as dependency-cruiser reports it. */
export interface Refusal {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** What a cruise read and what it refused, refusals sorted by rule and place. */
export interface Cruised {
  readonly modules: ICruiseResult["modules"];
  readonly refusals: readonly Refusal[];
}

/** Runs the rules of `.dependency-cruiser.cjs` over folders below `baseDir`; throws when the configuration is invalid. */
export async function cruise(baseDir: string, folders: readonly string[]): Promise<Cruised> {
  const { forbidden, options } = readHouseTable();
  // The configuration is checked against dependency-cruiser's own schema inside `cruise`; its type cannot be inferred from a .cjs file.
  const cruiseOptions = { ...options, baseDir, validate: true, ruleSet: { forbidden } } as unknown as ICruiseOptions;
  const { output } = await runCruise([...folders], cruiseOptions);
  if (typeof output === "string") throw new Error("dependency-cruiser answered with text instead of a result");
  const refusals = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  return { modules: output.modules, refusals: refusals.sort((a, b) => compare(line(a), line(b))) };
}

/** A refusal in one line, for comparison and for reading. */
export function line({ rule, from, to }: Refusal): string {
  return `${rule}: ${from} -> ${to}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
