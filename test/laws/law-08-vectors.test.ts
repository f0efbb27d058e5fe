import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Need } from "../../src/contract/context.ts";
import type { Embedder } from "../../src/contract/embedder.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import type { Reranker } from "../../src/contract/reranker.ts";
import { searchWithModels } from "../../src/know/search/search-with-models.ts";
import { withVectors } from "../../src/know/search/with-vectors.ts";
import { changeScopes, fileDocument, removeDocument } from "../../src/know/search/write.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { fixedClock } from "../../src/testing/fixed.ts";
import { hashedEmbedder } from "../../src/testing/hashed-embedder.ts";
import { filedVersion, type SampleVersion } from "../setup/filed-version.ts";
import { createPgvectorDatabase } from "../setup/pgvector-database.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// Law 8 where vectors are searched and a reranker reads: of what the principal may not see nothing is compared, counted, handed to a model,
// or given by what is kept in memory. What nobody but others may see says word for word what is asked, so it would come first.
const at = Date.UTC(2026, 5, 1);
const query = "quarry marble stone";
const embedder = hashedEmbedder({ dimensions: 64 });
const labels = ["tenant:all", "role:employee", "role:manager", "person:erin", "person:bob"] as const;
const erin: Principal = { tenant: "acme", id: "erin", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };

const idOf = (label: string, tenant = "acme") => `${label.replace(":", "-")}-${tenant}`;
const identities: readonly { readonly who: string; readonly principal: Principal; readonly sees: readonly string[] }[] = [
  { who: "an employee", principal: erin, sees: ["tenant:all", "role:employee", "person:erin"] },
  {
    who: "a manager",
    principal: { ...erin, roles: ["employee", "manager"] },
    sees: ["tenant:all", "role:employee", "role:manager", "person:erin"],
  },
  { who: "somebody without a role", principal: { ...erin, roles: [] }, sees: ["tenant:all", "person:erin"] },
  { who: "another person", principal: { ...erin, id: "bob", roles: [] }, sees: ["tenant:all", "person:bob"] },
  { who: "an account with a list", principal: listed([idOf("role:employee"), idOf("role:manager")]), sees: ["role:employee"] },
  { who: "an account with an empty list", principal: listed([]), sees: [] },
];
const filters: readonly Partial<Need & { kind: "passages" }>[] = [
  {},
  { limit: 1 },
  { metadata: { kind: "stone" } },
  { metadata: { kind: "marble" } },
  { collection: "documents" },
  { includeNotCurrent: true },
];

function listed(documents: readonly string[]): Principal {
  return { ...erin, allow: { ...everything, documents } };
}

let made: MigratedDatabase;
let filing: Database;
let database: Database;

async function open(create: () => Promise<MigratedDatabase>): Promise<void> {
  made = await create();
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 1 });
  database = openDatabase({ url: made.urls.deciding, role: "deciding", connections: 2 });
  for (const tenant of ["acme", "globex"])
    for (const label of labels) {
      const kind = label === "role:manager" || label === "person:bob" ? "marble" : "stone";
      const body = kind === "marble" ? query : "A quarry holds stone and gravel.";
      await file({ tenant, id: idOf(label, tenant), scopes: [label], passages: [body], metadata: { kind } });
    }
}

async function close(): Promise<void> {
  await database?.close();
  await filing?.close();
  await made?.drop();
}

async function file({ tenant = "acme", ...sample }: SampleVersion & { tenant?: string }): Promise<void> {
  const { document, passages } = filedVersion({ title: "", ...sample });
  const filed = await withVectors(embedder, { title: document.title, passages });
  await filing.inTenant(tenant, (tx) => fileDocument(tx, { tenant, document, passages: filed }));
}

/** A search as a decider opens it, with all that it keeps in memory and all that its models are shown. */
function openWatched(weights: { readonly words: number; readonly vectors: number }) {
  const shown: string[] = [];
  const embedded: string[] = [];
  const watched: Embedder = {
    ...embedder,
    embedQuery: (text) => {
      embedded.push(text);
      return embedder.embedQuery(text);
    },
  };
  const reranker: Reranker = {
    ...{ name: "keeps-order", version: "1", isFake: true },
    score: async (_, texts) => {
      shown.push(...texts);
      return texts.map((_text, place) => -place);
    },
  };
  const search = searchWithModels({ database, clock: fixedClock(0) }, { embedder: watched, reranker, weights });
  return {
    ...{ shown, embedded, stats: search.stats },
    /** All that a search says, but for the instants of its own running. */
    ask: async (principal: Principal, more: (typeof filters)[number] = {}) => {
      const envelope = { principal, scopes: shippedPolicy.scopes(principal), environment: "test", at };
      const need = { kind: "passages", name: "p", query, limit: 10, minimumScore: 0, ...more } as const;
      const { content, references, activity } = await search.findPassages(need, envelope);
      return { content, references: references.map((one) => ({ ...one, accessCheckedAt: 0 })), activity: { ...activity, ms: 0 } };
    },
  };
}

const ways = [
  { way: "vectors alone", weights: { words: 0, vectors: 1 } },
  { way: "words and vectors", weights: { words: 1, vectors: 1 } },
] as const;
const places = [
  { where: "this process", isInProcess: true, create: createMigratedDatabase },
  { where: "pgvector", isInProcess: false, create: createPgvectorDatabase },
] as const;
const cases = places.flatMap((place) => ways.map((way) => ({ ...place, ...way })));

describe.each(cases)("by $way, compared by $where", ({ weights, isInProcess, create }) => {
  beforeAll(() => open(create));
  afterAll(close);

  it.each(identities)("$who finds what they may see, all of it and nothing else", async ({ principal, sees }) => {
    const watched = openWatched(weights);
    const { content, references, activity } = await watched.ask(principal);
    const found = sees.map((label) => idOf(label)).sort();
    expect(content.map(({ document }) => document).sort()).toEqual(found);
    expect(references.map(({ document }) => document).sort()).toEqual(found);
    const ranked = activity.legs
      .filter(({ weight }) => weight > 0)
      .map(({ ranks }) => ranks.map((id) => id.split(":")[1]).sort());
    for (const ranks of ranked) expect(ranks).toEqual(found);
    expect(watched.shown.length).toBe(found.length);
    // A list is kept to before vectors are read, too.
    expect(watched.stats()?.documents.asked).toBe(isInProcess ? found.length : 0);
  });

  it("says the same whatever else is there that may not be seen, also when others asked before", async () => {
    const alone = openWatched(weights);
    const before = await everyAnswer(alone);
    const hidden = Array.from({ length: 12 }, (_, place) => `hidden-${place}`);
    for (const [place, id] of hidden.entries())
      await file({
        id,
        scopes: place % 2 === 0 ? ["role:auditor"] : [],
        passages: Array(5).fill(query),
        metadata: { kind: "stone" },
      });
    try {
      const crowded = openWatched(weights);
      // What somebody else may see is in memory by now, with the vector of the same question.
      const others = await crowded.ask({ ...erin, id: "otto", roles: ["auditor"] });
      expect(others.content.map(({ document }) => document)).toContain("hidden-0");
      const shownToOthers = crowded.shown.length;
      expect(await everyAnswer(crowded)).toEqual(before);
      expect(crowded.shown.slice(shownToOthers)).toEqual(alone.shown);
      // Each set of labels has its own vector of the question: nobody is told by the time that it takes what others asked.
      const own = new Set(
        [...identities.map(({ principal }) => principal), { ...erin, id: "otto", roles: ["auditor"] }].map(labelsOf),
      );
      expect(crowded.embedded).toHaveLength(own.size);
    } finally {
      await filing.inTenant("acme", async (tx) => {
        for (const id of hidden) await removeDocument(tx, { tenant: "acme", id });
      });
    }
  });

  it("goes by what one may see at the next question, though all vectors are in memory", async () => {
    const watched = openWatched(weights);
    const id = idOf("role:employee");
    const finds = async () => (await watched.ask(erin)).content.some(({ document }) => document === id);
    const open = (scopes: readonly string[]) => filing.inTenant("acme", (tx) => changeScopes(tx, { tenant: "acme", id, scopes }));
    expect(await finds()).toBe(true);
    await open(["role:manager"]);
    expect(await finds()).toBe(false);
    await open(["role:employee"]);
    expect(await finds()).toBe(true);
  });

  it("another tenant finds its own for the same roles and ids, and its question is no hit of this one", async () => {
    const watched = openWatched(weights);
    await watched.ask(erin);
    const there = await watched.ask({ ...erin, tenant: "globex" });
    expect(there.content.map(({ document }) => document).every((id) => id.endsWith("-globex"))).toBe(true);
    expect(watched.embedded).toHaveLength(2);
  });
});

async function everyAnswer(watched: ReturnType<typeof openWatched>): Promise<unknown> {
  const answers: unknown[] = [];
  for (const { principal } of identities) for (const filter of filters) answers.push(await watched.ask(principal, filter));
  return answers;
}

function labelsOf(principal: Principal): string {
  return [...shippedPolicy.scopes(principal)].sort().join(" ");
}
