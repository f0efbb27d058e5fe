import type { CallRecord, Model, ModelReply, ModelRequest } from "../contract/model.ts";
import { modelName } from "../contract/model-name.ts";
import { readReply } from "./read-reply.ts";
import { requestDigest } from "./request-digest.ts";
import { createSchemaShow, type ShownSchema } from "./shown-schema.ts";

/**
 * A model that gives recorded replies again and reaches no provider. It begins after decoding: each text is read as strictly as it was
 * then, so a schema that has changed since may refuse it. One that was not kept whole is refused as it was then. A request that was not recorded gets no reply, as from a provider that rests.
 * The records that it returns say what would be asked now; `usage`, `ms` and the rest are those of then.
 */
export function replayGateway(replies: readonly CallRecord[]): Model {
  const schemaShow = createSchemaShow();
  return {
    call: async (request) => {
      const recorded = replies.filter((reply) => isOf(reply, request)).toSorted((one, other) => one.send - other.send);
      return replayed({ recorded, request, shown: schemaShow(request.schema) });
    },
  };
}

function isOf(reply: CallRecord, { node, purpose, step, attempt, model }: ModelRequest<unknown>): boolean {
  return (
    reply.node === node &&
    reply.purpose === purpose &&
    reply.step === step &&
    reply.attempt === attempt &&
    reply.model === modelName(model)
  );
}

async function replayed<T>({
  recorded,
  request,
  shown,
}: {
  recorded: readonly CallRecord[];
  request: ModelRequest<T>;
  shown: ShownSchema;
}): Promise<ModelReply<T>> {
  const digest = requestDigest(request, shown);
  const calls = recorded.map((call): CallRecord => ({ ...call, requestDigest: digest }));
  const last = calls.at(-1);
  if (last === undefined)
    return { kind: "failed", fault: "resting", problem: "no reply was recorded for this request", calls: [] };
  if (last.stopReason === null)
    return { kind: "failed", fault: last.fault ?? "crashed", problem: last.problem ?? "no reply came", calls };
  // What is left of a reply would be refused for other reasons than the reply was.
  if (last.isReplyWhole === false) return { kind: "misfits", problem: last.problem ?? "the reply was not kept whole", calls };
  const outcome = await readReply({ text: last.reply, stopReason: last.stopReason }, request.schema);
  const problem = outcome.kind === "fits" ? null : outcome.problem;
  return { ...outcome, calls: [...calls.slice(0, -1), { ...last, outcome: outcome.kind, problem }] };
}
