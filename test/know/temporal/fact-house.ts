import type { Fact, FactDraft, FactNeed, FactSource, PredicateDraft } from "../../../src/contract/fact.ts";
import { type AllowLists, type Envelope, everything } from "../../../src/contract/principal.ts";
import { readFacts } from "../../../src/know/facts/read.ts";
import { correctFact, succeedFact } from "../../../src/know/facts/replace.ts";
import { declarePredicates, type FactPlace, nameFactSource, writeFacts } from "../../../src/know/facts/write.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../../setup/project-database.ts";

/** The clock of every request of these tests: far enough ahead of what the database writes down today. */
export const clock = Date.UTC(2040, 0, 1);

export const predicates: readonly PredicateDraft[] = [
  { name: "department", values: "one", objects: "entity" },
  { name: "title", values: "one", objects: "value" },
  { name: "uses", values: "many", objects: "entity" },
  { name: "holds", values: "many", objects: "entity" },
  { name: "under", values: "many", objects: "entity" },
];
export const sources: readonly FactSource[] = [
  { name: "hr", title: "Personnel register", zone: "Europe/Berlin", label: "system" },
  { name: "payroll", title: "Payroll", zone: "America/New_York", label: "system" },
];

/** Who asks, and as of when; the rest is that of an employee of `acme`. */
export interface AskedFact extends Partial<Omit<FactNeed, "kind" | "at">> {
  readonly at: unknown;
  readonly tenant?: string;
  readonly scopes?: readonly string[] | undefined;
  readonly allow?: AllowLists;
  readonly clock?: number;
  readonly database?: Database;
}

/** A database of its own with sources and predicates named in both tenants. Close it. */
export interface FactHouse {
  readonly made: MigratedDatabase;
  readonly deciding: Database;
  readonly acting: Database;
  readonly write: (facts: readonly Told[], place?: Place) => Promise<readonly string[]>;
  readonly correct: (id: string, instead: Told | null) => Promise<string | null>;
  readonly succeed: (fact: Told, place?: Place) => Promise<unknown>;
  readonly ask: (asked: AskedFact) => Promise<readonly Fact[]>;
  /** What is true, in order: each object alone. */
  readonly objects: (asked: AskedFact) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** A fact of `employee:e-1` and for everybody, unless said otherwise. */
export type Told = Partial<FactDraft> & Pick<FactDraft, "validFrom" | "validTo" | "object">;
interface Place {
  readonly tenant?: string;
  readonly source?: string;
}

export async function openFactHouse(): Promise<FactHouse> {
  const made = await createMigratedDatabase();
  const deciding = openDatabase({ url: made.urls.deciding, role: "deciding" });
  const acting = openDatabase({ url: made.urls.acting, role: "acting" });
  const within = <T>({ tenant = "acme", source = "hr" }: Place, work: (place: FactPlace) => Promise<T>) =>
    acting.inTenant(tenant, (tx) => work({ tx, tenant, source }));
  for (const tenant of ["acme", "globex"])
    await within({ tenant }, async (place) => {
      for (const source of sources) await nameFactSource(place, source);
      await declarePredicates(place, { version: 1, predicates });
    });
  const ask = (asked: AskedFact) => {
    const database = asked.database ?? deciding;
    return database.inTenant(asked.tenant ?? "acme", (tx) => readFacts({ tx, need: needOf(asked), envelope: envelopeOf(asked) }));
  };
  return {
    ...{ made, deciding, acting, ask },
    write: async (facts, place = {}) =>
      (await within(place, (at) => writeFacts(at, { mapping: 1, facts: facts.map(draftOf) }))).written,
    correct: (id, instead) =>
      within({}, (at) => correctFact(at, { id, reason: "it was wrong", instead: instead === null ? null : draftOf(instead) })),
    succeed: (fact, place = {}) =>
      within(place, (at) => succeedFact(at, { mapping: 1, fact: draftOf(fact), reason: "it changed" })),
    objects: async (asked) => (await ask(asked)).map(({ object }) => object),
    close: async () => {
      await deciding.close();
      await acting.close();
      await made.drop();
    },
  };
}

function draftOf(told: Told): FactDraft {
  return { subject: "employee:e-1", predicate: "department", scopes: ["tenant:all"], ...told };
}

function needOf({ tenant: _, scopes: __, allow: ___, clock: ____, database: _____, at, ...rest }: AskedFact): FactNeed {
  // Callers in plain JavaScript may give what the type does not allow.
  const given = { at } as { at: number };
  const usual = { name: "facts", subject: "employee:e-1", predicates: "all", limit: 20, isRequired: false } as const;
  return { kind: "facts", ...usual, ...given, ...rest };
}

function envelopeOf(asked: AskedFact): Envelope {
  const { tenant = "acme", allow = everything } = asked;
  const principal = { tenant, id: "erin", roles: ["employee"], attributes: {}, onBehalfOf: null, allow };
  const scopes = "scopes" in asked ? asked.scopes : ["tenant:all"];
  return { principal, scopes, environment: "test", at: asked.clock ?? clock } as Envelope; // as above
}
