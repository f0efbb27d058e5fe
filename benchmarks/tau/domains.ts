import { airlineReads } from "./airline-reads.ts";
import { airlineWrites } from "./airline-writes.ts";
import { genericTools } from "./generic-tools.ts";
import { retailReads } from "./retail-reads.ts";
import { retailWrites } from "./retail-writes.ts";
import type { Tool } from "./tool.ts";

/** The two businesses of the set. */
export const domains = ["retail", "airline"] as const;
export type Domain = (typeof domains)[number];

/** The tools of a business by name; `repeatsFault` as in `retailWrites`. */
export function toolsOf(domain: Domain, { repeatsFault }: { readonly repeatsFault: boolean }): ReadonlyMap<string, Tool> {
  const own = domain === "retail" ? [...retailReads, ...retailWrites({ repeatsFault })] : [...airlineReads, ...airlineWrites];
  return new Map([...own, ...genericTools].map((tool) => [tool.name, tool]));
}
