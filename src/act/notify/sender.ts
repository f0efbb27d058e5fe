import { CountersignError } from "../../contract/errors.ts";
import type { Clock, Vault } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { acrossTenants } from "../../store/every-tenant.ts";
import type { StoreTime } from "../../store/time.ts";
import { mostAttempts, restMs } from "./back-off.ts";
import type { Channel, OpenChannel, Part, Sent } from "./channel.ts";
import { type ClaimedNotice, claimNotices, type Standing, sendMs, tenantsToTell, writeStanding } from "./claims.ts";

/** Sends notices. At least once: a worker that dies between a send and its record sends again, with the same ids. */
export interface Sender {
  /** Sends what is due, as far as one round goes; resolves with how many notices need no more sending. */
  readonly round: () => Promise<number>;
  /** Breaks off what is being sent; it is tried again later, by whoever runs then. */
  readonly stop: () => void;
}

/** What a sender is built from. `onError` is told of every send that failed, by the channel's name and a word for the fault. */
export interface SenderParts {
  readonly channels: readonly Channel[];
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Pick<Clock, "now">;
  readonly storeTime: StoreTime;
  readonly onError: (thrown: unknown) => void;
}

/** Builds a sender; without channels it leaves every notice as it is. Throws `secret_missing` and `configuration_invalid` for secrets of channels. */
export function createSender({ channels, database, vault, clock, storeTime, onError }: SenderParts): Sender {
  const open = channels.map((channel) => channel.open({ secret: vault.secret(channel.secret), clock }));
  const stopping = new AbortController();
  const sendOne = async (claimed: ClaimedNotice): Promise<number> => {
    const results = await sendAll({ claimed, open, stopping: stopping.signal });
    for (const { channel, sent } of results)
      if (sent.kind !== "done") onError(undelivered({ channel, sent, attempts: claimed.attempts }));
    if (claimed.attempts > mostAttempts) onError(neverAnswered());
    return database.inTenant(claimed.tenant, async (tx) => {
      const standing = standingOf({ claimed, results, now: await storeTime(tx) });
      await writeStanding(tx, claimed, standing);
      return standing.state === "waiting" ? 0 : 1;
    });
  };
  const sendOf = async (tenant: string): Promise<number> => {
    const claimed = await database.inTenant(tenant, async (tx) => claimNotices(tx, { tenant, now: await storeTime(tx) }));
    return sum(await Promise.all(claimed.map((one) => sendOne(one).catch(reported))));
  };
  const reported = (thrown: unknown): number => {
    onError(thrown);
    return 0;
  };
  return {
    async round() {
      if (open.length === 0 || stopping.signal.aborted) return 0;
      const tenants = await acrossTenants({ database, look: async (tx) => tenantsToTell(tx, await storeTime(tx)) });
      return sum(await Promise.all((tenants ?? []).map((tenant) => sendOf(tenant).catch(reported))));
    },
    stop: () => stopping.abort(),
  };
}

interface Result {
  readonly channel: string;
  /** `null` where the channel did not get as far as naming its sends. */
  readonly key: string | null;
  readonly sent: Sent;
}

async function sendAll({
  claimed,
  open,
  stopping,
}: {
  claimed: ClaimedNotice;
  open: readonly OpenChannel[];
  stopping: AbortSignal;
}): Promise<readonly Result[]> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(sendMs)]);
  // It was claimed so often without an answer being written that sending it may be what ends the process.
  if (claimed.attempts > mostAttempts) return [];
  return (await Promise.all(open.map((channel) => sendBy({ channel, claimed, signal })))).flat();
}

/** By one channel, one send after the other; what was settled at an earlier attempt is not sent again. */
async function sendBy({
  channel,
  claimed,
  signal,
}: {
  channel: OpenChannel;
  claimed: ClaimedNotice;
  signal: AbortSignal;
}): Promise<readonly Result[]> {
  let parts: readonly Part[];
  try {
    parts = await within(signal, channel.parts(claimed));
  } catch {
    return [{ channel: channel.name, key: null, sent: { kind: "later", fault: "nobody could say to whom" } }];
  }
  const results: Result[] = [];
  for (const { key, send } of parts) {
    if (claimed.done.includes(key) || claimed.refused.includes(key)) continue;
    const sent = signal.aborted ? late : await within(signal, send(signal)).catch(() => late);
    results.push({ channel: channel.name, key, sent });
  }
  return results;
}

const late: Sent = { kind: "later", fault: "no answer in time" };

/** Waits no longer than the signal allows, whatever the work does. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

function standingOf({ claimed, results, now }: { claimed: ClaimedNotice; results: readonly Result[]; now: number }): Standing {
  const keysOf = (kind: Sent["kind"]) => results.flatMap(({ key, sent }) => (sent.kind === kind && key !== null ? [key] : []));
  const done = [...claimed.done, ...keysOf("done")];
  const refused = [...claimed.refused, ...keysOf("refused")];
  const isLeft = claimed.attempts > mostAttempts || results.some(({ sent }) => sent.kind === "later");
  const state = isLeft && claimed.attempts < mostAttempts ? "waiting" : isLeft || refused.length > 0 ? "failed" : "sent";
  return { state, dueAt: now + restMs(claimed), done, refused };
}

function undelivered({
  channel,
  sent: { kind, fault },
  attempts,
}: {
  channel: string;
  sent: Exclude<Sent, { kind: "done" }>;
  attempts: number;
}): CountersignError {
  const isLast = attempts >= mostAttempts;
  const then = kind === "refused" ? "it is not sent there again" : isLast ? "it is given up" : "it is tried again later";
  const facts = { channel, fault, isLast };
  return new CountersignError("notice_undelivered", `a notice was not taken by \`${channel}\` (${fault}); ${then}`, { facts });
}

function neverAnswered(): CountersignError {
  const message = `a notice was begun ${mostAttempts} times and what became of the last was never recorded; it is given up`;
  return new CountersignError("notice_undelivered", message, { facts: { isLast: true } });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
