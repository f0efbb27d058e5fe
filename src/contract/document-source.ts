import type { DocumentStatus } from "./knowledge.ts";

/** A folder whose files are documents. What its files say of themselves goes before what is said here; it never opens them to more. */
export interface FolderSource {
  /** In the form of `idPattern`. */
  readonly name: string;
  /** The tenants that have these documents. */
  readonly tenants: "all" | readonly string[];
  /** Absolute, or from the project's folder. */
  readonly folder: string;
  readonly owner: string;
  /** The labels that may see its documents. `tenant:all` is the whole tenant. */
  readonly scopes: readonly string[];
  readonly collection: string;
  readonly isAuthority: boolean;
  readonly status: DocumentStatus;
  /** In force from this instant on, and before the second one, in milliseconds since the epoch; no end where that is `null`. */
  readonly validFrom: number;
  readonly validTo: number | null;
  /** How far the index may be behind the folder, in milliseconds. An answer that would rest on an older one is refused. */
  readonly freshWithinMs: number;
}

/** The label that everybody of a tenant has. */
export const wholeTenant = "tenant:all";
