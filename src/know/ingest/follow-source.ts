import type { FolderSource } from "../../contract/document-source.ts";
import type { Clock } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import type { Remembered } from "./examine.ts";
import type { Library } from "./library.ts";
import { openParser, type ParseLimits } from "./parse-apart.ts";
import { removeByHand } from "./remove-by-hand.ts";
import { joinReports, type RunReport } from "./run-report.ts";
import { runSource } from "./run-source.ts";
import { hasSource } from "./source-rows.ts";
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
  const remembered: Remembered = new Map();
  const everyMs = Math.min(longestPauseMs, Math.max(500, source.freshWithinMs / checksPerPromise));
  const change = { firstAt: null as number | null, lastAt: 0 };
  let previousStart: number | null = null;
  let isStopping = false;
  let watching: { close: () => void } | null = null;
  const isDue = (): boolean => {
    if (previousStart === null || clock.now() - previousStart >= everyMs) return true;
    return change.firstAt !== null && clock.now() - change.lastAt >= quietMs;
  };
  const withdraw = withdrawal(parts);
  const run = async (tenants: readonly string[]): Promise<readonly RunReport[]> => {
    const during = { parser, remembered, tried: new Map(), isStopping: () => isStopping, shouldLookAgain: isDue };
    const before = previousStart;
    let changeSeenAt: number | null = null;
    let reports: readonly RunReport[] = [];
    for (let isThrough = false; !isThrough; ) {
      changeSeenAt ??= change.firstAt;
      change.firstAt = null;
      previousStart = clock.now();
      const done = await runSource({ ...parts, ...during, tenants, changeSeenAt, previousStart: before }).catch((thrown) => {
        previousStart = before;
        throw thrown;
      });
      reports = joinReports(reports, done.reports);
      isThrough = !done.isInterrupted;
    }
    return reports;
  };
  return {
    async round(isAtOnce = false) {
      if (!isAtOnce && !isDue()) return [];
      const open = await parts.tenants();
      const withdrawn = await withdraw(open);
      return [...withdrawn, ...(await run(open.filter((tenant) => isOf(source, tenant))))];
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
function isOf({ tenants }: FolderSource, tenant: string): boolean {
  return tenants === "all" || tenants.includes(tenant);
}

/** Takes what was filed from tenants that the source no longer names; looks at each once, since a declaration changes with the process. */
function withdrawal({ database, library, source }: FollowParts): (open: readonly string[]) => Promise<readonly RunReport[]> {
  const seen = new Set<string>();
  return async (open) => {
    const reports: RunReport[] = [];
    for (const tenant of open) {
      if (seen.has(tenant) || isOf(source, tenant)) continue;
      const key = { tenant, source: source.name };
      if (await database.inTenant(tenant, (tx) => hasSource(tx, key))) {
        const removed = (await removeByHand({ database, library }, key)).length;
        reports.push({ ...key, isComplete: true, detail: null, filed: 0, removed, rescoped: 0, unchanged: 0, faults: [] });
      }
      seen.add(tenant);
    }
    return reports;
  };
}
