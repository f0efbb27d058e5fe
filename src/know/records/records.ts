/**
 * Records: rows of systems of record, read by named queries under this half's own credential, each with the time it was read
 * and none older than asked for.
 * Both halves bind the same queries to connectors of their own. Never writes and never searches text.
 */
import type { Answer, OpenRecordSource, RecordSource } from "../../contract/connector.ts";
import type { Context } from "../../contract/context.ts";
import { CountersignError, faultName, isCountersignError } from "../../contract/errors.ts";
import type { Clock, Deadline, HiddenSearch, HiddenValues, Permit, Vault } from "../../contract/ports.ts";
import type { Envelope, PolicyRuling } from "../../contract/principal.ts";
import { openDecisionMemory } from "./decision-memory.ts";
import { hiddenIn } from "./hidden.ts";
import { shownRows } from "./shown-rows.ts";

/** Record sources that open on first use. Holds connections; close it. */
export interface Records {
  /**
   * Runs a named query, and shows of its rows what its field policy lets. Throws `forbidden` by policy, `record_unavailable` where no answer
   * comes in time or one that is too old, `record_changed` for other columns, `group_too_small` for a total of too few.
   */
  readonly readRecords: Context["readRecords"];
  /** Values that the decision of this envelope read and was not shown, where they stand in an output. */
  readonly findHidden: (search: HiddenSearch) => readonly string[];
  /** The same beside what a project looks for itself. */
  readonly hiddenBeside: (others: HiddenValues) => HiddenValues;
  readonly close: () => Promise<void>;
}

type Need = Parameters<Context["readRecords"]>[0];

/** How long one query may take, in milliseconds. */
const queryTimeoutMs = 10_000;

/** How far the clock of a system of record may be ahead of this one, in milliseconds. */
const clockSkewMs = 5_000;

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
  const memory = openDecisionMemory(clock);
  const findHidden: Records["findHidden"] = ({ texts, envelope }) => hiddenIn(memory.of(envelope), texts);
  return {
    async readRecords(need, envelope) {
      const source = sourceOf.get(need.query);
      if (source === undefined) throw unknownQuery(need.query);
      const ruling = permit.mayRead(envelope.principal, need.query);
      if (ruling.kind === "refused") throw notRead(need.query, ruling);
      const startedAt = clock.now();
      const work = openOnce({ opened, source, vault }).then((open) => answerOf(open, need, envelope));
      const { rows, readAt = startedAt } = await deadline.within(queryTimeoutMs, work).catch((thrown) => {
        throw withCode(need.query, thrown);
      });
      const query = source.queries.find((one) => one.name === need.query);
      if (query === undefined) throw unknownQuery(need.query);
      const endedAt = clock.now();
      // A time that has not come yet is told by a clock that is wrong, or in another zone.
      const isYoung = (at: number) => startedAt - at <= need.maxAgeMs && at - endedAt <= clockSkewMs;
      const times = () => rows.map((row) => query.readAt?.(row) ?? readAt);
      const found = shownRows({ query, need, rows, readAt, memory: memory.of(envelope) });
      // Written so that an unknown age is too old; an answer without rows has one too.
      if (!isYoung(readAt) || !times().every(isYoung)) throw tooOld(need);
      return found;
    },
    findHidden,
    hiddenBeside: (others) => ({ findHidden: async (search) => [...(await others.findHidden(search)), ...findHidden(search)] }),
    async close() {
      const sourcesLeft = await Promise.allSettled(opened.values());
      opened.clear();
      await Promise.allSettled(sourcesLeft.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
    },
  };
}

async function answerOf(open: OpenRecordSource, { query, params }: Need, envelope: Envelope): Promise<Answer> {
  return open.read === undefined ? { rows: await open.run(query, params, envelope) } : open.read(query, params, envelope);
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

function unknownQuery(name: string): CountersignError {
  return new CountersignError("definition_invalid", `no record source of this process has the query \`${name}\``, {
    facts: { query: name },
  });
}

function notRead(query: string, { rule, reason }: PolicyRuling & { readonly kind: "refused" }): CountersignError {
  return new CountersignError("forbidden", `record query \`${query}\` is not read: ${reason}`, { facts: { query, rule } });
}

function tooOld({ query, maxAgeMs }: Need): CountersignError {
  return new CountersignError(
    "record_unavailable",
    `record query \`${query}\` gave a row that is older than ${maxAgeMs} ms, or of no known time`,
    {
      facts: { query, maxAgeMs },
    },
  );
}

function withCode(query: string, cause: unknown): CountersignError {
  const ownCodes = ["secret_missing", "definition_invalid", "tool_changed", "record_changed"] as const;
  if (ownCodes.some((code) => isCountersignError(cause, code))) return cause as CountersignError; // it has one of these codes
  // A connector of ours says which query it was; what another says of itself stands behind words of our own.
  if (isCountersignError(cause, "record_unavailable") && cause.facts["query"] === query) return cause;
  return new CountersignError(
    "record_unavailable",
    `record query \`${query}\` gave no answer; see that its system of record runs`,
    {
      facts: { query, kind: faultName(cause) },
      cause,
    },
  );
}
