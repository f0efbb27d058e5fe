import type { RunMeter } from "../contract/budget.ts";
import type { Context, RecordRow } from "../contract/context.ts";
import { isCountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { CallRecord, Model } from "../contract/model.ts";
import type { Tools } from "../contract/ports.ts";
import type { KnownValues } from "./known-values.ts";

/** A model whose every call leaves its records with `keep`, those of failed attempts too: the `RecordingGateway` of the design. */
export function recordingModel(model: Model, keep: (calls: readonly CallRecord[]) => void): Model {
  return {
    call: async (request) => {
      const reply = await model.call(request);
      keep(reply.calls);
      return reply;
    },
  };
}

/** A model whose every request takes room from what the run may still use. */
export function meteredModel(model: Model, meter: RunMeter | undefined): Model {
  return meter === undefined ? model : { call: (request) => model.call({ ...request, meter: request.meter ?? meter }) };
}

/** A model whose every request says what it is known to be about: whoever was read of until then. */
export function knowingModel(model: Model, { tenant, values }: { readonly tenant: string; readonly values: KnownValues }): Model {
  return { call: (request) => model.call({ ...request, known: request.known ?? { tenant, values: values.all() } }) };
}

/**
 * A context that adds to `values` what is read of people, for the privacy boundary. A read that brings more of them than a decision
 * remembers is refused with `record_unavailable`.
 */
export function learningContext(context: Context, values: KnownValues): Context {
  return {
    findPassages: (need, envelope) => context.findPassages(need, envelope),
    readFacts: (need, envelope) => context.readFacts(need, envelope),
    recall: (need, envelope) => context.recall(need, envelope),
    readRecords: async (need, envelope) => {
      const rows = await context.readRecords(need, envelope);
      learnFrom(rows, values);
      return rows;
    },
  };
}

/** Tools whose rows add to `values` as those of the context do: what a loop reads is somebody's as well. Too many fail the call. */
export function learningTools(tools: Tools, values: KnownValues): Tools {
  return {
    find: (capability) => tools.find(capability),
    call: async (call) => {
      const answer = await tools.call(call);
      if (answer.kind !== "found") return answer;
      try {
        const rows = answer.items.filter((item) => item.kind === "record");
        learnFrom(rows, values);
        return answer;
      } catch (thrown) {
        if (isCountersignError(thrown, "record_unavailable")) return { kind: "failed", fault: thrown.code };
        throw thrown;
      }
    },
  };
}

function learnFrom(rows: readonly RecordRow[], values: KnownValues): void {
  // What is no row is refused by whoever reads it next.
  values.learn(rows.map(({ row }) => row).filter((row) => typeof row === "object" && row !== null));
}

/** The rows that one record query gave when a state before an effect was read; `null` where it gave none at all. */
export interface ReadBefore {
  readonly query: string;
  readonly params: JsonObject;
  readonly rows: readonly JsonObject[] | null;
}

/** The name of the need by which the state before an effect is read. */
export const beforeNeed = "before";

/**
 * A context whose reads of a state before an effect are put into `reads`, in the order of asking: they come after the context was
 * loaded, and are no part of it.
 */
export function recordingContext(context: Context, reads: ReadBefore[]): Context {
  return {
    findPassages: (need, envelope) => context.findPassages(need, envelope),
    readFacts: (need, envelope) => context.readFacts(need, envelope),
    recall: (need, envelope) => context.recall(need, envelope),
    readRecords: async (need, envelope) => {
      if (need.name !== beforeNeed) return context.readRecords(need, envelope);
      const { query, params } = need;
      const place = reads.push({ query, params, rows: null }) - 1;
      const rows = await context.readRecords(need, envelope);
      reads[place] = { query, params, rows: rows.map(({ row }) => row) };
      return rows;
    },
  };
}
