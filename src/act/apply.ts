/**
 * The hands' side: the only code that changes the outside world. Commits that it is about to act, acts once, and then looks.
 * Takes nothing but what `approve/verify.ts` made; never asks a model and never signs.
 */

import { assertApproved } from "../approve/verify.ts";
import type { Snapshot } from "../contract/effect.ts";
import { CountersignError, faultName } from "../contract/errors.ts";
import { sha256Digest } from "../store/digest.ts";
import type { Acting } from "./acting.ts";
import { checkBefore } from "./before.ts";
import type { ApplyOptions, Hand } from "./hands.ts";
import type { Held, Sendable } from "./held.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { settle } from "./settle.ts";
import { inEffectSpan } from "./span.ts";

/** Carries out a newly reserved operation: compares the state before, sends, and looks. Returns the operation as it stands after. */
export async function carryOut(sendable: Sendable, acting: Acting): Promise<Held> {
  const { held, licence } = sendable;
  try {
    const check = await checkBefore(licence.task, acting);
    if (check.kind === "holds") return await sendAndSettle(sendable, acting);
    const { code, rule, observed } = check;
    return await acting.recorder.record({
      held,
      recording: (now) => ({
        steps: [{ kind: "refused", facts: { approvalId: held.approvalId, code, rule }, bodies: { observed } }],
        move: { state: "refused", leaseUntil: now, dueAt: now },
      }),
    });
  } finally {
    acting.leases.forget(held);
  }
}

/** Sends once more what is proven not there. `retrying` is committed already. */
export async function sendAgain(sendable: Sendable, acting: Acting): Promise<Held> {
  try {
    return await sendAndSettle(sendable, acting);
  } finally {
    acting.leases.forget(sendable.held);
  }
}

/**
 * Sends, unless more than half of the lease is gone, since another worker may take over before this one is done, or an emergency stop
 * holds by now.
 */
async function sendAndSettle(sendable: Sendable, acting: Acting): Promise<Held> {
  const { held, licence } = sendable;
  assertApproved(licence);
  const { name } = licence.task.effect;
  const hand = handOf(name, acting);
  const sent = await inEffectSpan({ spans: acting.spans, effect: name, look: "send" }, () =>
    sendThrough({ hand, sendable, acting }),
  );
  if (sent.kind === "accepted") return settle({ held, acting, applied: sent });
  if (sent.kind === "unsent") return giveBack(sendable, acting);
  // What became of the send is not known: it may have arrived. A separate read comes before anything else is done.
  return acting.recorder.record({
    held,
    recording: (now) => ({
      steps: [{ kind: "observed", facts: { verdict: "unknown", reason: sent.reason }, bodies: {} }],
      move: { state: "unknown", leaseUntil: now, dueAt: now, lastSendAt: now },
    }),
  });
}

type Sent =
  | { readonly kind: "accepted"; readonly targetId: string | null }
  | { readonly kind: "unsent" }
  | { readonly kind: "unknown"; readonly reason: string };

async function sendThrough({ hand, sendable, acting }: { hand: Hand; sendable: Sendable; acting: Acting }): Promise<Sent> {
  const { held, licence } = sendable;
  const { effect, params } = licence.task;
  const abort = new AbortController();
  let isBegun = false;
  try {
    const run = await hand.apply.bind(acting.clients);
    await acting.leases.refresh(held);
    if (await isStoppedNow(sendable, acting)) return { kind: "unsent" };
    // Opening the connector and asking for stops took time too. Nothing is awaited from here to the send.
    if (acting.leases.isHalfGone(held)) return { kind: "unsent" };
    acting.leases.enter(held, "sending");
    isBegun = true;
    const { targetId } = await acting.deadline.within(effect.timeoutMs, run(params, optionsOf(sendable, abort.signal)));
    // A hand in plain JavaScript may return anything; only a text says which.
    return { kind: "accepted", targetId: typeof targetId === "string" ? targetId : null };
  } catch (thrown) {
    abort.abort();
    // A connector that could not be opened has sent nothing.
    return isBegun ? { kind: "unknown", reason: faultName(thrown) } : { kind: "unsent" };
  }
}

function optionsOf({ held, licence: { task } }: Sendable, signal: AbortSignal): ApplyOptions {
  const { tenant, generation, fence } = held;
  const { effect, proposed, proposal } = task;
  const { decisionId: id, capability, requestedBy, onBehalfOf } = proposal;
  const decision = { id, capability, requestedBy, onBehalfOf };
  const idempotencyKey = idempotencyKeyOf({ tenant, effect: effect.name, key: proposed.key, generation }, sha256Digest);
  return { tenant, idempotencyKey, signal, fence, expectedVersion: versionOf(proposed.before), decision };
}

/** The field `version` of the state that was approved, for a target that changes only that version. */
function versionOf(before: Snapshot): string | null {
  const version = before?.["version"];
  return typeof version === "string" || typeof version === "number" ? String(version) : null;
}

async function isStoppedNow({ held: { tenant, task } }: Sendable, { stops }: Acting): Promise<boolean> {
  return (await stops.of(tenant)).isStopped({ effect: task.effect.name, capability: task.proposal.capability });
}

/**
 * Lets the operation go unsent. Whoever takes it next looks before it sends; at a target where nothing is ever sent twice the key is
 * freed instead, since nothing was: it takes a new signature.
 */
async function giveBack({ held, unsent }: Sendable, acting: Acting): Promise<Held> {
  const isFirst = held.foundState === "applying" && held.attempts === 1;
  if (held.task.effect.dedupe === "none" && isFirst) {
    const facts = { approvalId: held.approvalId, code: "not_sent", rule: "never_retried" };
    return acting.recorder.record({
      held,
      recording: (now) => ({ steps: [{ kind: "refused", facts }], move: { state: "refused", leaseUntil: now, dueAt: now } }),
    });
  }
  return acting.recorder.record({
    held,
    recording: (now) => ({
      steps: [],
      move: { state: held.foundState, leaseUntil: now, dueAt: now, attempts: unsent.attempts, lastSendAt: unsent.lastSendAt },
    }),
  });
}

function handOf(effect: string, { hands }: Acting): Hand {
  const hand = hands.hands.find((one) => one.effect.name === effect);
  if (hand === undefined) throw new CountersignError("effect_unknown", `no hands are registered for effect \`${effect}\``);
  return hand;
}
