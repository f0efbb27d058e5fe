import { withScratchDatabase } from "../../src/cli/scratch-database.ts";
import type { Fact } from "../../src/contract/fact.ts";
import { type Envelope, everything } from "../../src/contract/principal.ts";
import { openFacts } from "../../src/know/facts/facts.ts";
import { declarePredicates, nameFactSource, writeFacts } from "../../src/know/facts/write.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Statement } from "./cases.ts";
import { insertTenant } from "./tenant.ts";

/** What is asked: a subject and a predicate as of an instant. */
export interface Asking {
  readonly subject: string;
  readonly predicate: string;
  readonly at: number;
  /** The labels of who asks; those of everybody where they are left out. */
  readonly scopes?: readonly string[];
}

/** A store of facts that reads as the deciding half does. */
export interface FactStore {
  readonly ask: (asking: Asking) => Promise<readonly Fact[]>;
}

const tenant = "bench";
const source = "encyclopedia";
const labels = ["tenant:all"];

/** Loads statements into a scratch database through the writer of the acting half, and does `work` with it. */
export async function withFacts<T>(statements: readonly Statement[], work: (store: FactStore) => Promise<T>): Promise<T> {
  return withScratchDatabase(async ({ adminUrl, urls }) => {
    await insertTenant({ adminUrl, tenant });
    const acting = openDatabase({ url: urls.acting, role: "acting", connections: 1 });
    const deciding = openDatabase({ url: urls.deciding, role: "deciding", connections: 2 });
    try {
      await acting.inTenant(tenant, async (tx) => {
        const place = { tx, tenant, source };
        await nameFactSource(place, { name: source, title: "Encyclopedia", zone: "UTC", label: "third" });
        const names = [...new Set(statements.map(({ predicate }) => predicate))];
        const predicates = names.map((name) => ({ name, values: "many", objects: "value" }) as const);
        await declarePredicates(place, { version: 1, predicates });
        await writeFacts(place, { mapping: 1, facts: statements.map(draftOf) });
      });
      const { readFacts } = openFacts(deciding);
      return await work({
        ask: ({ subject, predicate, at, scopes = labels }) =>
          readFacts(
            { kind: "facts", name: "asked", subject, predicates: [predicate], at, limit: 100, isRequired: true },
            envelopeOf(scopes),
          ),
      });
    } finally {
      await deciding.close();
      await acting.close();
    }
  });
}

function draftOf({ subject, predicate, object, first, last }: Statement) {
  const year = (number: number) => String(number).padStart(4, "0");
  return { subject, predicate, object, validFrom: year(first), validTo: year(last), validToIsIncluded: true, scopes: labels };
}

function envelopeOf(scopes: readonly string[]): Envelope {
  const principal = { tenant, id: "reader", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
  return { principal, scopes, environment: "bench", at: Date.now() };
}
