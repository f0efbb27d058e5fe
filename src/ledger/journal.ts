import type { DecisionRequest } from "../contract/decision.ts";
import { canonicalJson } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { Clock, Closed, Journal, Opened } from "../contract/ports.ts";
import { buildClosing } from "./build-closing.ts";
import { type ClosedOrFailed, type Closing, closeCall, closedBy, endOf, sizeOfClosing } from "./close-group.ts";
import { openLane } from "./group.ts";
import { checkIds, type Opening, openCall, openedBy, openingOf } from "./open-group.ts";
import type { PayloadKeys } from "./payload.ts";
import { isReservationGone, isRowRefused, openPipe, type Pipe } from "./pipe.ts";
import { pooledRandom } from "./random.ts";
import { createRenewal } from "./renewal.ts";
import { createTurnstile } from "./turnstile.ts";

/** What a journal is made from; times are in milliseconds. */
export interface JournalOptions {
  /** The login of the deciding role. */
  readonly url: string;
  readonly clock: Clock;
  readonly keys: PayloadKeys;
  /** How long an intent is safe from the sweeper without a sign of life of this process. */
  readonly leaseMs?: number;
  /** How long a decision's lease is renewed; one that takes longer is given up to the sweeper. */
  readonly longestDecisionMs?: number;
  /** How long a write waits for a database that is gone. */
  readonly patienceMs?: number;
  /** How many writes may wait in memory; further ones wait before they are serialised. None is ever dropped. */
  readonly capacity?: number;
}

/** The journal of one deciding process. It holds connections and a timer; stop it. */
export interface DurableJournal extends Journal {
  /** Finishes what is waiting, then ends the connections. */
  readonly stop: () => Promise<void>;
}

/**
 * Opens the book of decisions: `open` and `close` each resolve after their commit, which they share with what else is waiting.
 * A record that cannot be kept is closed as stopped, and `close` throws `decision_failed`.
 * A decision that runs on is not swept: while this process lives, its leases are renewed until `longestDecisionMs`.
 */
export function createJournal(options: JournalOptions): DurableJournal {
  const { keys, leaseMs = limits.intentLeaseMs, capacity = 4096 } = options;
  const random = pooledRandom();
  const pipes = pipesOf(options);
  const renewal = createRenewal({
    pipe: pipes.opening,
    clock: options.clock,
    leaseMs,
    longestMs: options.longestDecisionMs ?? 15 * 60_000,
  });
  const openings = openLane<Opening, Opened>({
    ...laneLimits,
    write: async (group) => openedBy(group, await pipes.opening.call(openCall(group, leaseMs))),
    sizeOf: () => 256,
    keyOf: ({ request }) => request.decisionId,
  });
  const closings = openLane<Closing, ClosedOrFailed>({
    ...laneLimits,
    write: async (group) => closedBy(group, await pipes.closing.call(closeCall(group))),
    sizeOf: sizeOfClosing,
    keyOf: ({ decisionId }) => decisionId,
  });
  const turnstile = createTurnstile(capacity);
  const inputHashes = new WeakMap<DecisionRequest, string>();
  return {
    open: (request, _at, reservation = null) =>
      turnstile.pass(async () => {
        await keys.know(request.principal.tenant);
        const inputs = canonicalJson(request.inputs);
        const opened = await openings.submit(openingOf({ request, inputs, keys, reservation })).catch(goneOrThrow);
        inputHashes.set(request, inputsHash({ request, inputs, keys }));
        if (opened.kind === "opened") renewal.watch(request.principal.tenant, request.decisionId);
        return opened;
      }),
    close: (record) =>
      turnstile.pass(async (): Promise<Closed> => {
        const { request } = record;
        // Whatever comes of it, nobody works on the decision any more: if this fails, the sweeper ends it.
        renewal.forget(request.decisionId);
        const hash = inputHashes.get(request) ?? inputsHash({ request, inputs: canonicalJson(request.inputs), keys });
        checkIds([request.decisionId, request.entryId]);
        const { closing, fault } = buildClosing({ record, inputsHash: hash, keys, random });
        const end = endOf(await closings.submit(closing));
        if (fault !== null && end.kind === "closed") throw fault;
        return end;
      }),
    stop: async () => {
      await Promise.all([openings.drain(), closings.drain()]);
      renewal.stop();
      await Promise.all([pipes.opening.close(), pipes.closing.close()]);
    },
  };
}

// Not larger, though a larger group costs less: when all that is under way travels in one group, this process waits while the server
// works and the other way round. Measured with 64 decisions at once, 32 a group were a quarter faster than 256.
const laneLimits = { isItemFault: isRowRefused, maxItems: 32, maxBytes: 8 * 1024 * 1024, maxGroups: 2 } as const;

// Opens and closes have a connection each, so that one kind executes while the other waits for the disk.
function pipesOf({ url, clock, patienceMs = 10_000 }: JournalOptions): { readonly opening: Pipe; readonly closing: Pipe } {
  const pipe = () => openPipe({ url, role: "deciding", clock, patienceMs });
  return { opening: pipe(), closing: pipe() };
}

/** An allotment that was taken back opens no decision; everything else is a fault. */
function goneOrThrow(thrown: unknown): Opened {
  if (isReservationGone(thrown)) return { kind: "reservation_gone" };
  throw thrown;
}

function inputsHash({ request, inputs, keys }: { request: DecisionRequest; inputs: string; keys: PayloadKeys }): string {
  return keys.keyedHash({ tenant: request.principal.tenant, text: inputs });
}
