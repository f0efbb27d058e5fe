import type { Snapshot } from "../../contract/effect.ts";
import type { ExplainedEnd, ExplainedLook, ExplainedOperation, ExplainedSend } from "../../contract/explanation.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import { resolvedOutcomes, verdicts } from "../../contract/words.ts";
import { numberAt, objectAt, textAt } from "../fields.ts";
import type { ReadEntry } from "../story.ts";

/** The operations of one effect's entries, in the order in which they were begun. */
export function operationsOf(ours: readonly ReadEntry[]): readonly ExplainedOperation[] {
  const ids = new Set(ours.flatMap(({ body }) => textAt(body, "operationId") ?? []));
  return [...ids].map((operationId) => {
    const own = ours.filter(({ body }) => textAt(body, "operationId") === operationId);
    const first = own[0]?.body ?? {};
    return {
      operationId,
      generation: numberAt(first, "generation"),
      approvalIds: [textAt(first, "approvalId"), textAt(first, "secondApprovalId")].flatMap((id) => id ?? []),
      sends: sendsOf(own),
      looks: own.filter(({ kind }) => kind === "observed").map(lookOf),
      ends: own.flatMap(endOf),
    };
  });
}

/** An answer belongs to the send before it. */
function sendsOf(own: readonly ReadEntry[]): readonly ExplainedSend[] {
  return own.flatMap((entry, place) => {
    if (entry.kind !== "applying") return [];
    const rest = own.slice(place + 1);
    const next = rest.findIndex(({ kind }) => kind === "applying");
    const answer = rest.slice(0, next < 0 ? rest.length : next).find(({ kind }) => kind === "applied");
    return [
      { ...sendOf(entry), response: answer === undefined ? null : { at: answer.ts, targetId: textAt(answer.body, "targetId") } },
    ];
  });
}

function sendOf({ id: entryId, ts: at, body }: ReadEntry): Omit<ExplainedSend, "response"> {
  return {
    ...{ entryId, at, attempt: numberAt(body, "attempt"), credential: textAt(body, "credential") },
    ...{ observer: textAt(body, "observer"), environment: textAt(body, "environment"), fence: numberAt(body, "fence") },
  };
}

function lookOf({ id: entryId, ts: at, body, bodies }: ReadEntry): ExplainedLook {
  return {
    ...{ entryId, at, verdict: verdicts.find((verdict) => verdict === body["verdict"]) ?? null },
    observed: snapshotAt(bodies, "observed"),
    expected: snapshotAt(bodies, "expected"),
    ...{ differs: wordsAt(body, "differs"), forbidden: wordsAt(body, "forbidden") },
    ...{ fault: textAt(body, "fault"), joins: textAt(body, "joins") },
    ...{ next: body["next"] === "compensate" ? "compensate" : null, reason: textAt(body, "reason") },
  };
}

function endOf({ id: entryId, ts: at, kind, body, bodies }: ReadEntry): readonly ExplainedEnd[] {
  if (kind !== "refused" && kind !== "escalated" && kind !== "compensated" && kind !== "resolved") return [];
  const outcome = resolvedOutcomes.find((one) => one === body["outcome"]) ?? null;
  // What a person wrote stands in the payload, what code says in the entry.
  const reason = textAt(body, "reason") ?? textAt(body, "code") ?? textAt(bodies as JsonObject, "reason");
  return [{ entryId, at, kind, reason, owner: textAt(body, "owner"), by: textAt(body, "by"), outcome }];
}

function snapshotAt(bodies: { readonly [name: string]: Json }, name: string): Snapshot {
  return objectAt(bodies, name);
}

function wordsAt(body: JsonObject, name: string): readonly string[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter((word) => typeof word === "string") : [];
}
