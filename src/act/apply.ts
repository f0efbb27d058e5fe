/**
 * The hands' side: the only code that changes the outside world. Commits that it is about to act, acts once, and then looks.
 * Takes nothing but what `approve/verify.ts` made; never asks a model and never signs.
 */

import { assertApproved } from "../approve/verify.ts";
import { CountersignError, faultName } from "../contract/errors.ts";
import { sha256Digest } from "../store/digest.ts";
import type { Acting, Held, Sendable } from "./acting.ts";
import { checkBefore } from "./before.ts";
import type { Hand } from "./hands.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { recordSteps } from "./record.ts";
import { settle } from "./settle.ts";

/** Carries out a newly reserved operation: compares the state before, sends, and looks. Returns the operation as it stands after. */
export async function carryOut(sendable: Sendable, acting: Acting): Promise<Held> {
  const { held, licence } = sendable;
  const check = await checkBefore(licence.task, acting);
  if (check.kind === "holds") return send(sendable, acting);
  const { code, rule, observed } = check;
  return recordSteps(held, acting, (now) => ({
    steps: [{ kind: "refused", facts: { approvalId: held.approvalId, code, rule }, bodies: { observed } }],
    move: { state: "refused", leaseUntil: now, dueAt: now },
  }));
}

/**
 * Sends once. `applying` or `retrying` is committed already. Where more than half of the lease is gone nothing is sent, since
 * another worker may take over before this one is done.
 */
export async function send(sendable: Sendable, acting: Acting): Promise<Held> {
  const { held, licence } = sendable;
  assertApproved(licence);
  const hand = handOf(licence.task.effect.name, acting);
  if (isLeaseHalfGone(held, acting)) return giveBack(held, acting);
  const sent = await sendThrough({ hand, sendable, acting });
  if (sent.kind === "accepted") return settle({ held, acting, applied: { targetId: sent.targetId } });
  if (sent.kind === "unsent") return giveBack(held, acting);
  // What became of the send is not known: it may have arrived. A separate read comes before anything else is done.
  return recordSteps(held, acting, (now) => ({
    steps: [{ kind: "observed", facts: { verdict: "unknown", reason: sent.reason }, bodies: {} }],
    move: { state: "unknown", leaseUntil: now, dueAt: now, lastSendAt: now },
  }));
}

type Sent =
  | { readonly kind: "accepted"; readonly targetId: string | null }
  | { readonly kind: "unsent" }
  | { readonly kind: "unknown"; readonly reason: string };

async function sendThrough({ hand, sendable, acting }: { hand: Hand; sendable: Sendable; acting: Acting }): Promise<Sent> {
  const { held, licence } = sendable;
  const { effect, params, proposed } = licence.task;
  const abort = new AbortController();
  const options = {
    tenant: held.tenant,
    idempotencyKey: idempotencyKeyOf(
      { tenant: held.tenant, effect: effect.name, key: proposed.key, generation: held.generation },
      sha256Digest,
    ),
    signal: abort.signal,
    fence: held.fence,
    expectedVersion: versionOf(proposed.before),
  };
  try {
    const run = await hand.apply.bind(acting.clients);
    // Opening the connector took time too.
    if (isLeaseHalfGone(held, acting)) return { kind: "unsent" };
    const { targetId } = await acting.deadline.within(effect.timeoutMs, run(params, options));
    return { kind: "accepted", targetId };
  } catch (thrown) {
    abort.abort();
    return { kind: "unknown", reason: faultName(thrown) };
  }
}

/** The field `version` of the state that was approved, for a target that changes only that version. */
function versionOf(before: Sendable["licence"]["task"]["proposed"]["before"]): string | null {
  const version = before?.["version"];
  return typeof version === "string" || typeof version === "number" ? String(version) : null;
}

function isLeaseHalfGone(held: Held, { clock }: Acting): boolean {
  return clock.monotonic() - held.heldSinceMs > held.leaseMs / 2;
}

/** Lets the operation go unsent; whoever takes it next looks before it sends. */
async function giveBack(held: Held, acting: Acting): Promise<Held> {
  return recordSteps(held, acting, (now) => ({ steps: [], move: { state: held.foundState, leaseUntil: now, dueAt: now } }));
}

function handOf(effect: string, { hands }: Acting): Hand {
  const hand = hands.hands.find((one) => one.effect.name === effect);
  if (hand === undefined) throw new CountersignError("effect_unknown", `no hands are registered for effect \`${effect}\``);
  return hand;
}
