import type { FolderSource } from "../../contract/document-source.ts";
import type { Clock } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import type { Library } from "./library.ts";
import type { Parser } from "./parse-apart.ts";

/** What a run works with. */
export interface Running {
  readonly database: Database;
  readonly library: Library;
  readonly parser: Parser;
  readonly clock: Clock;
  readonly source: FolderSource;
  /** The source's folder, resolved. */
  readonly folder: string;
  /** When somebody saw that a file changed, in milliseconds by `clock`; a change that nobody saw is as old as the run before at most. */
  readonly changeSeenAt: number | null;
  readonly previousStart: number | null;
  /** Ends the run between two files. */
  readonly isStopping: () => boolean;
}

/** A run for one tenant. */
export interface TenantRunning extends Running {
  readonly tenant: string;
}

/** Why a run ends without being complete. */
export class Incomplete extends Error {}
