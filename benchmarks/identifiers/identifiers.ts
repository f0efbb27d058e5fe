/**
 * Is the document of an identifier found first, however it is written? Over notes of our own, through the real writer and the real
 * search, as a person would type the name: in another case, without accents, in part, within a sentence.
 */
import { createHash } from "node:crypto";
import type { FiledVersion } from "../../src/know/search/write.ts";
import { openSearchStand } from "../knowledge/stand.ts";
import { type Note, technicalNotes } from "./notes.ts";
import { identifierQueries } from "./queries.ts";

/** What was found: of each query that missed, what stands first in its place. */
export interface IdentifiersReport {
  readonly name: "identifiers";
  readonly documents: number;
  readonly queries: number;
  readonly first: number;
  readonly missed: readonly { readonly query: string; readonly expected: string; readonly first: string | null }[];
  readonly passed: boolean;
}

/** Runs the benchmark over its own corpus. */
export async function identifiers(): Promise<IdentifiersReport> {
  const stand = await openSearchStand({ fsync: "off" });
  try {
    await stand.file(technicalNotes.map(filedNote));
    const missed: { query: string; expected: string; first: string | null }[] = [];
    for (const [query, expected] of identifierQueries) {
      const { content } = await stand.search({ query, scopes: ["all"], limit: 5 });
      const first = content[0]?.document ?? null;
      if (first !== expected) missed.push({ query, expected, first });
    }
    const counts = { documents: technicalNotes.length, queries: identifierQueries.length };
    return {
      name: "identifiers",
      ...counts,
      first: identifierQueries.length - missed.length,
      missed,
      passed: missed.length === 0,
    };
  } finally {
    await stand.close();
  }
}

function filedNote({ id, title, text }: Note): FiledVersion {
  return {
    document: {
      ...{
        id,
        version: "1",
        title,
        collection: "documents",
        owner: "bench",
        source: null,
        status: "current",
        supersededBy: null,
      },
      ...{ isAuthority: false, validFrom: 0, validTo: null, scopes: ["all"], metadata: {} },
      contentHash: createHash("sha256").update(text).digest("hex"),
    },
    passages: [{ sectionPath: [title], page: null, from: 0, to: text.length, text }],
  };
}
