import { hash } from "node:crypto";
import { sql } from "kysely";
import type { Retention } from "../../contract/retention.ts";
import type { Tx } from "../../store/database.ts";
import type { ErasedPart } from "./erase.ts";

/** How long bodies are kept of each capability, as its definition says. */
export type DeclaredRetention = ReadonlyMap<string, Retention>;

/** How many days one part of a decision is kept; `null` for as long as its tenant is there. */
export type DaysOf = (capability: string) => number | null;

/** Inputs are kept for so long where nobody says otherwise, in days. */
const usualInputsDays = 30;

/** The rules of one tenant for one part, with a word that changes when they do. */
export interface Rules {
  readonly daysOf: DaysOf;
  /** The fewest days that any capability has; `null` where nothing ends. */
  readonly fewest: number | null;
  readonly version: string;
}

interface Row {
  readonly capability: string;
  readonly inputs_days: number | null;
  readonly payload_days: number | null;
}

/** Reads a tenant's rules: its own row for a capability, its row for all, what the capability says, the usual. */
export async function readRules(
  { tx, tenant, part }: { tx: Tx; tenant: string; part: ErasedPart },
  declared: DeclaredRetention,
): Promise<Rules> {
  const { rows } = await sql<Row>`
    select capability, inputs_days, payload_days from countersign.retention where tenant = ${tenant} order by capability`.execute(
    tx,
  );
  const own = new Map(rows.map((row) => [row.capability, part === "inputs" ? row.inputs_days : row.payload_days]));
  const usual = part === "inputs" ? usualInputsDays : null;
  const daysOf: DaysOf = (capability) => {
    const { inputsDays = null, payloadDays = null } = declared.get(capability) ?? {};
    return own.get(capability) ?? own.get("*") ?? (part === "inputs" ? inputsDays : payloadDays) ?? usual;
  };
  // A name that no capability has stands for those that are gone by now.
  const names = ["", ...new Set([...declared.keys(), ...own.keys()])].sort();
  const days = names.map((name) => daysOf(name));
  const ending = days.flatMap((one) => one ?? []);
  return {
    daysOf,
    fewest: ending.length === 0 ? null : Math.min(...ending),
    version: hash("sha256", JSON.stringify([names, days]), "hex").slice(0, 16),
  };
}
