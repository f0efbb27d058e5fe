import { createHash } from "node:crypto";
import type { DocumentStatus } from "../../src/contract/knowledge.ts";
import type { FiledVersion } from "../../src/know/search/write.ts";

/** A version of a document in few words; what is left out is usual: current since 2020, in `documents`, seen by `employee`. */
export interface SampleVersion {
  readonly id: string;
  /** Texts, with the headings above them where there are any. */
  readonly passages: readonly (
    | string
    | { readonly section: string | readonly string[]; readonly body: string; readonly page?: number }
  )[];
  readonly title?: string;
  readonly version?: string;
  readonly collection?: string;
  readonly status?: DocumentStatus;
  readonly from?: number;
  readonly to?: number | null;
  readonly scopes?: readonly string[];
  readonly metadata?: { readonly [key: string]: string };
  readonly source?: string | null;
}

/** Makes the version that a sample stands for, as it is filed. */
export function filedVersion({ id, passages, title = id, version = "1", ...rest }: SampleVersion): FiledVersion {
  const { collection = "documents", status = "current", from = Date.UTC(2020, 0, 1), to = null, scopes = ["employee"] } = rest;
  const contentHash = createHash("sha256").update(JSON.stringify(passages)).digest("hex");
  return {
    document: {
      ...{
        id,
        version,
        title,
        collection,
        owner: "it",
        source: rest.source ?? null,
        status,
        supersededBy: null,
        isAuthority: false,
      },
      ...{ validFrom: from, validTo: to, scopes, contentHash, metadata: rest.metadata ?? {} },
    },
    passages: passages.map((passage) => {
      const { section, body, page = null } = typeof passage === "string" ? { section: [], body: passage } : passage;
      const sectionPath = typeof section === "string" ? [section] : section;
      return { sectionPath, page, from: 0, to: body.length, text: body };
    }),
  };
}
