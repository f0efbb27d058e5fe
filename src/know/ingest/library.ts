import type { FiledDocument, FiledPassage } from "../../contract/knowledge.ts";
import type { Tx } from "../../store/database.ts";

/** One version of one document. */
export interface DocumentKey {
  readonly id: string;
  readonly version: string;
}

/** The index, as ingest uses it: handed in, since the folder of search is no business of a folder that reads files. */
export interface Library {
  /** Files versions whole, each in place of what was there. Throws where the database holds less afterwards than it was given. */
  readonly file: (
    tx: Tx,
    filing: {
      readonly tenant: string;
      readonly versions: readonly { readonly document: FiledDocument; readonly passages: readonly FiledPassage[] }[];
    },
  ) => Promise<unknown>;
  /** Removes a version; one that is not there is no fault. */
  readonly remove: (tx: Tx, document: DocumentKey & { readonly tenant: string }) => Promise<unknown>;
  /** Changes who may see a version, from the next query on. */
  readonly changeScopes: (
    tx: Tx,
    change: DocumentKey & { readonly tenant: string; readonly scopes: readonly string[] },
  ) => Promise<unknown>;
}
