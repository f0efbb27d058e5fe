import type { FolderSource } from "../../contract/document-source.ts";
import type { Clock } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import type { Remembered } from "./examine.ts";
import type { Library } from "./library.ts";
import { openParser, type ParseLimits } from "./parse-apart.ts";
import { type RunReport, runSource } from "./run-source.ts";
import { watchFolder } from "./watch-folder.ts";

/** One source that is followed: watched, and compared whole now and then. */
export interface Following {
  /** Runs for every tenant of the source where that is due, or at once if asked; gives what was done. */
  readonly round: (isAtOnce?: boolean) => Promise<readonly RunReport[]>;
  readonly watch: () => void;
  /** Ends a run between two files. */
  readonly stop: () => void;
}

/** What following a source takes. */
export interface FollowParts {
  readonly database: Database;
  readonly library: Library;
  readonly clock: Clock;
  readonly source: FolderSource;
  /** The source's folder, resolved. */
  readonly folder: string;
  readonly parseLimits?: ParseLimits | undefined;
  /** The ids of all tenants that are open. */
  readonly tenants: () => Promise<readonly string[]>;
}

/** How long a folder has to be quiet before it is read, in milliseconds: files come in pieces. */
const quietMs = 250;
/** A promise is checked so many times within itself. */
const checksPerPromise = 4;
const longestPauseMs = 60_000;

/** Begins to follow a source; nothing runs before the first `round`. */
export function followSource(parts: FollowParts): Following {
  const { clock, source, folder } = parts;
  const parser = openParser(parts.parseLimits);
  const remembered = new Map<string, Remembered>();
  const everyMs = Math.min(longestPauseMs, Math.max(500, source.freshWithinMs / checksPerPromise));
  const change = { firstAt: null as number | null, lastAt: 0 };
  let previousStart: number | null = null;
  let isStopping = false;
  let watching: { close: () => void } | null = null;
  const isDue = (): boolean => {
    if (previousStart === null || clock.now() - previousStart >= everyMs) return true;
    return change.firstAt !== null && clock.now() - change.lastAt >= quietMs;
  };
  return {
    async round(isAtOnce = false) {
      if (!isAtOnce && !isDue()) return [];
      const startedAt = clock.now();
      const changeSeenAt = change.firstAt;
      change.firstAt = null;
      const reports: RunReport[] = [];
      for (const tenant of await tenantsOf(parts)) {
        if (isStopping) break;
        const known = remembered.get(tenant) ?? new Map();
        remembered.set(tenant, known);
        const running = { ...parts, parser, tenant, remembered: known, changeSeenAt, previousStart };
        reports.push(await runSource({ ...running, isStopping: () => isStopping }));
      }
      previousStart = startedAt;
      return reports;
    },
    watch() {
      watching ??= watchFolder({
        folder,
        onChange: () => {
          change.firstAt ??= clock.now();
          change.lastAt = clock.now();
        },
      });
    },
    stop() {
      isStopping = true;
      watching?.close();
      parser.close();
    },
  };
}

/** A tenant that is named and not there yet has nothing to be filed for. */
async function tenantsOf({ source, tenants }: FollowParts): Promise<readonly string[]> {
  const open = await tenants();
  return source.tenants === "all" ? open : open.filter((tenant) => source.tenants.includes(tenant));
}
