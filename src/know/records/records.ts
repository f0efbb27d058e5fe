/**
 * Records: rows of systems of record, read by named queries under this half's own credential, each with the time it was read
 * and none older than asked for.
 * Both halves bind the same queries to connectors of their own. Never writes and never searches text.
 */
import type { OpenRecordSource, RecordSource } from "../../contract/connector.ts";
import type { Context, RecordRow } from "../../contract/context.ts";
import { CountersignError, faultName, isCountersignError } from "../../contract/errors.ts";
import { type JsonObject, toFrozenJson } from "../../contract/json.ts";
import type { Clock, Deadline, Permit, Vault } from "../../contract/ports.ts";
import type { PolicyRuling } from "../../contract/principal.ts";

/** Record sources that open on first use. Holds connections; close it. */
export interface Records {
  /** Runs a named query; throws `forbidden` by policy, `record_unavailable` where no answer comes in time, or one that is too old. */
  readonly readRecords: Context["readRecords"];
  readonly close: () => Promise<void>;
}

type Need = Parameters<Context["readRecords"]>[0];

/** How long one query may take, in milliseconds. */
const queryTimeoutMs = 10_000;

/** Binds record sources to this process's vault. Throws `definition_invalid` where two sources have a query of the same name. */
export function openRecords({
  sources,
  vault,
  clock,
  deadline,
  permit,
}: {
  sources: readonly RecordSource[];
  vault: Vault;
  clock: Clock;
  deadline: Deadline;
  permit: Pick<Permit, "mayRead">;
}): Records {
  const sourceOf = sourcesByQuery(sources);
  const opened = new Map<RecordSource, Promise<OpenRecordSource>>();
  return {
    async readRecords(need, envelope) {
      const source = sourceOf.get(need.query);
      if (source === undefined) throw unknownQuery(need.query);
      const ruling = permit.mayRead(envelope.principal, need.query);
      if (ruling.kind === "refused") throw notRead(need.query, ruling);
      const startedAt = clock.now();
      const work = openOnce({ opened, source, vault }).then((open) => open.run(need.query, need.params, envelope));
      const rows = await deadline.within(queryTimeoutMs, work).catch((thrown) => {
        throw unavailable(need.query, thrown);
      });
      const found = recordRows({ source, need, rows, startedAt });
      // Written so that an unknown age is too old.
      if (!found.every(({ readAt }) => startedAt - readAt <= need.maxAgeMs)) throw tooOld(need);
      return found;
    },
    async close() {
      const sourcesLeft = await Promise.allSettled(opened.values());
      opened.clear();
      await Promise.allSettled(sourcesLeft.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
    },
  };
}

function sourcesByQuery(sources: readonly RecordSource[]): ReadonlyMap<string, RecordSource> {
  const byQuery = new Map<string, RecordSource>();
  for (const source of sources) {
    for (const { name } of source.queries) {
      if (byQuery.has(name)) throw new CountersignError("definition_invalid", `two record sources have the query \`${name}\``);
      byQuery.set(name, source);
    }
  }
  return byQuery;
}

/** One connection for a source; one that could not be opened is tried anew with the next query. */
function openOnce({
  opened,
  source,
  vault,
}: {
  opened: Map<RecordSource, Promise<OpenRecordSource>>;
  source: RecordSource;
  vault: Vault;
}): Promise<OpenRecordSource> {
  const known = opened.get(source);
  if (known !== undefined) return known;
  const opening = (async () => source.open(source.connector.secret === null ? "" : vault.secret(source.connector.secret)))();
  opened.set(source, opening);
  opening.catch(() => opened.delete(source));
  return opening;
}

function recordRows({
  source,
  need,
  rows,
  startedAt,
}: {
  source: RecordSource;
  need: Need;
  rows: readonly JsonObject[];
  startedAt: number;
}): RecordRow[] {
  const query = source.queries.find((one) => one.name === need.query);
  if (query === undefined) throw unknownQuery(need.query);
  return rows.map((found) => {
    // A row is an object by its type; what JSON would lose, such as a Date or a BigInt, is refused here.
    const row = toFrozenJson(found) as JsonObject;
    const id = `${need.query}:${query.key(row)}`;
    return Object.freeze({
      kind: "record",
      id,
      need: need.name,
      query: need.query,
      title: query.title ?? query.name,
      row,
      labels: query.labels,
      readAt: query.readAt === undefined ? startedAt : query.readAt(row),
    });
  });
}

function unknownQuery(name: string): CountersignError {
  return new CountersignError("definition_invalid", `no record source of this process has the query \`${name}\``, {
    facts: { query: name },
  });
}

function notRead(query: string, { rule, reason }: PolicyRuling & { readonly kind: "refused" }): CountersignError {
  return new CountersignError("forbidden", `record query \`${query}\` is not read: ${reason}`, { facts: { query, rule } });
}

function tooOld({ query, maxAgeMs }: Need): CountersignError {
  return new CountersignError("record_unavailable", `record query \`${query}\` gave a row that is older than ${maxAgeMs} ms`, {
    facts: { query, maxAgeMs },
  });
}

function unavailable(query: string, cause: unknown): CountersignError {
  const ownCodes = ["secret_missing", "definition_invalid", "tool_changed"] as const;
  if (ownCodes.some((code) => isCountersignError(cause, code))) return cause as CountersignError; // it has one of these codes
  return new CountersignError(
    "record_unavailable",
    `record query \`${query}\` gave no answer; see that its system of record runs`,
    {
      facts: { query, kind: faultName(cause) },
      cause,
    },
  );
}
