import { type Context, factsOf, type LoadedContext, memoryOf, passagesOf, rowsOf } from "../../contract/context.ts";
import { CountersignError } from "../../contract/errors.ts";
import { givenAgain } from "../../contract/found-passages.ts";
import { canonicalJson } from "../../contract/json.ts";
import type { Model } from "../../contract/model.ts";
import type { Clock, RuntimeSource, Slices, Tools } from "../../contract/ports.ts";
import type { LoopStep } from "../../contract/tool.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import { beforeNeed } from "../recording.ts";
import type { Kept } from "./kept.ts";

/** Ports that hold what was recorded and reach nothing. */
export interface ReplayPorts {
  readonly clock: Clock;
  readonly context: Context;
  readonly tools: Tools;
  readonly slices: Slices;
  readonly runtime: RuntimeSource;
  readonly model: Model;
  /** Says whether a model was asked something that was not recorded. */
  readonly askedMore: () => boolean;
}

/** Answers what was not recorded: a look-up of a loop, and the state before an effect. What was recorded to fail is not asked again. */
export interface Unrecorded {
  readonly call: Tools["call"];
  readonly readRecords: Context["readRecords"];
}

/** A replay has nobody who does. */
const nobody: Unrecorded = {
  call: async () => ({ kind: "failed", fault: "record_unavailable" }),
  readRecords: () => Promise.reject(noneBefore()),
};

/** Makes the ports of a replay. Time stands at the decision's own, and runs by what the recorded calls took. */
export function replayPorts({
  kept,
  at,
  model,
  unrecorded = nobody,
}: {
  kept: Kept;
  at: number;
  model: Model;
  unrecorded?: Unrecorded;
}): ReplayPorts {
  let ms = 0;
  let isMore = false;
  return {
    clock: { now: () => at, monotonic: () => ms },
    context: recordedContext(kept, { at, unrecorded }),
    tools: recordedTools(kept, unrecorded),
    runtime: { of: async () => kept.runtime },
    slices: { thresholdPpm: async () => kept.thresholdPpm ?? neverAutoPpm },
    model: {
      call: async (request) => {
        const reply = await model.call(request);
        ms += reply.calls.reduce((sum, call) => sum + call.ms, 0);
        isMore ||= reply.calls.length === 0;
        return reply;
      },
    },
    askedMore: () => isMore,
  };
}

function recordedContext({ context: items, before }: Kept, { at, unrecorded }: { at: number; unrecorded: Unrecorded }): Context {
  const loaded: LoadedContext = { items, digest: "" };
  return {
    findPassages: async (need) => givenAgain(passagesOf(loaded, need.name), at),
    readFacts: async (need) => factsOf(loaded, need.name),
    recall: async (need) => memoryOf(loaded, need.name),
    readRecords: async (need, envelope) => {
      const { name, query, params } = need;
      if (name !== beforeNeed) return rowsOf(loaded, name);
      const read = before.find((one) => one.query === query && canonicalJson(one.params) === canonicalJson(params));
      if (read === undefined) return unrecorded.readRecords(need, envelope);
      if (read.rows === null) throw noneBefore();
      return read.rows.map((row, place) => ({
        kind: "record",
        id: `${query}:${place}`,
        need: name,
        query,
        row,
        labels: {},
        readAt: at,
      }));
    },
  };
}

function noneBefore(): CountersignError {
  return new CountersignError("record_unavailable", "no state before was recorded for this effect");
}

function recordedTools({ loop }: Kept, unrecorded: Unrecorded): Tools {
  // Each row is handed out once: two slots of a plan may make the same call, and one of the two may have failed.
  const given = new Set<LoopStep>();
  return {
    find: async ({ deciding }) => (deciding.kind === "loop" ? deciding.tools : []),
    call: async (asking) => {
      const { tool, arguments: asked, step } = asking;
      const { deciding } = asking.capability;
      if (deciding.kind !== "loop" || !deciding.tools.some((one) => one.name === tool)) return { kind: "off_list" };
      const row = loop.find(
        (one) =>
          wasCalled(one) &&
          !given.has(one) &&
          one.step === step &&
          one.tool === tool &&
          canonicalJson(one.arguments) === canonicalJson(asked),
      );
      if (row === undefined) return unrecorded.call(asking);
      given.add(row);
      if (row.outcome === "read") return { kind: "found", items: row.found };
      return { kind: "failed", fault: row.fault ?? "record_unavailable" };
    },
  };
}

/** What a stop came before, or was not on the list then, has no answer that was recorded. */
function wasCalled({ outcome }: LoopStep): boolean {
  return outcome === "read" || outcome === "failed";
}
