/**
 * Builds the front door's signing side: what waits, what became of a decision, and the answers of people.
 * No model, no connector, no acting code; its database role records what people do and nothing else.
 */
import { type Answered, grantApprovals, grantSlice, rejectProposal, type Signing } from "./approve/grant.ts";
import { CountersignError } from "./contract/errors.ts";
import { isKeepableText } from "./contract/json.ts";
import { limits } from "./contract/limits.ts";
import type { Clock, Ids } from "./contract/ports.ts";
import type { Principal } from "./contract/principal.ts";
import type { DecisionView, EntryView } from "./contract/views.ts";
import { neverAutoPpm } from "./contract/words.ts";
import type { Project } from "./define/project.ts";
import { policy } from "./guard/policy/policy.ts";
import { payloadKeys } from "./ledger/payload.ts";
import { pooledRandom } from "./ledger/random.ts";
import { type DecisionStory, listWaiting, readDecision, storyOf, viewDecision } from "./ledger/read.ts";
import type { Database, Tx } from "./store/database.ts";
import { isId } from "./store/ids.ts";
import { readSigningKey } from "./store/signature.ts";
import { databaseTime, type StoreTime } from "./store/time.ts";

/** What a desk is built from. */
export interface DeskParts {
  readonly project: Project;
  /** Under the role `desk`; the caller closes it. */
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: string;
  /** The private key of this desk (PKCS8, DER, base64). */
  readonly deskKey: string;
  /** 32 bytes. */
  readonly payloadKey: Buffer;
  /** The store's clock; another one only in tests. */
  readonly storeTime?: StoreTime;
}

/** What people do at the desk. Every method refuses what the principal may not see or sign, with a typed error. */
export interface Desk {
  /** The proposals that wait for a person, oldest first, as far as this principal may see them. */
  readonly reviews: (asking: { principal: Principal }) => Promise<readonly DecisionView[]>;
  /** One decision; `not_found` where it does not exist or this principal may not see it. */
  readonly decision: (asking: { principal: Principal; decisionId: string }) => Promise<DecisionView>;
  /** What this principal asked for, newest first; what is still being decided is not in it. */
  readonly mine: (asking: { principal: Principal; limit: number }) => Promise<readonly DecisionView[]>;
  /** The entries of one decision in their order; `not_found` as for `decision`. */
  readonly story: (asking: { principal: Principal; decisionId: string }) => Promise<readonly EntryView[]>;
  /** Signs every effect of a waiting proposal. */
  readonly approve: (answer: { principal: Principal; decisionId: string }) => Promise<Answered>;
  /** Rejects a waiting proposal as a whole. */
  readonly reject: (answer: { principal: Principal; decisionId: string; reason: string }) => Promise<Answered>;
  /** Signs the threshold of a slice, in parts per million. */
  readonly openSlice: (opening: {
    principal: Principal;
    capability: string;
    slice: string;
    thresholdPpm: number;
  }) => Promise<Omit<Answered, "decisionId">>;
}

const reviewLimit = 200;
const reasonLength = 2_000;

/** Builds the desk. Throws `configuration_invalid` for an unusable key. */
export function createDesk(parts: DeskParts): Desk {
  const { project, database, ids, environment, storeTime = databaseTime } = parts;
  const keys = payloadKeys(parts.payloadKey, pooledRandom());
  const signing: Signing = { project, environment, key: readSigningKey(parts.deskKey), policy, payloadKeys: keys, ids };
  const read = (tx: Tx, { tenant }: Principal, decisionId: string) => readDecision({ tx, tenant, decisionId, keys });
  const seen = ({ principal, decisionId }: { principal: Principal; decisionId: string }) =>
    database.inSnapshot(principal.tenant, async (tx) => {
      const story = isId(decisionId) ? await read(tx, principal, decisionId) : null;
      if (story === null || !isSeenBy(story, principal)) throw notFound(decisionId);
      return story;
    });
  // What the target offers against doubles stands in the effect's definition, not in the entry.
  const dedupes = new Map(project.effects.map(({ name, dedupe }) => [name, dedupe]));
  const view = (story: DecisionStory): DecisionView => {
    const made = viewDecision(story);
    return { ...made, effects: made.effects.map((effect) => ({ ...effect, dedupe: dedupes.get(effect.effect) ?? null })) };
  };
  return {
    reviews: ({ principal }) =>
      database.inSnapshot(principal.tenant, async (tx) => {
        const waiting = await listWaiting({ tx, tenant: principal.tenant, limit: reviewLimit });
        const stories: DecisionStory[] = [];
        for (const decisionId of waiting) {
          const story = await read(tx, principal, decisionId);
          if (story !== null && isSeenBy(story, principal)) stories.push(story);
        }
        return stories.map(view);
      }),
    mine: ({ principal, limit }) =>
      database.inSnapshot(principal.tenant, async (tx) => {
        const stories: DecisionStory[] = [];
        for (const decisionId of await listAsked({ tx, principal, limit })) {
          const story = await read(tx, principal, decisionId);
          if (story !== null) stories.push(story);
        }
        return stories.map(view);
      }),
    decision: async (asking) => view(await seen(asking)),
    story: async (asking) => storyOf(await seen(asking)),
    approve: ({ principal, decisionId }) =>
      database.inTenant(principal.tenant, async (tx) => {
        checkId(decisionId);
        return grantApprovals({ tx, principal, decisionId, now: await storeTime(tx) }, signing);
      }),
    reject: ({ principal, decisionId, reason }) =>
      database.inTenant(principal.tenant, async (tx) => {
        checkId(decisionId);
        checkReason(reason);
        return rejectProposal({ tx, principal, decisionId, reason, now: await storeTime(tx) }, signing);
      }),
    openSlice: ({ principal, capability, slice, thresholdPpm }) =>
      database.inTenant(principal.tenant, async (tx) => {
        checkSlice({ slice, thresholdPpm });
        return grantSlice({ tx, principal, capability, slice, thresholdPpm, now: await storeTime(tx) }, signing);
      }),
  };
}

/** Ids grow with time (UUID version 7), so the newest requests have the greatest. */
async function listAsked({ tx, principal, limit }: { tx: Tx; principal: Principal; limit: number }): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom("intent")
    .select("decision_id")
    .where("tenant", "=", principal.tenant)
    .where("principal", "=", principal.id)
    .orderBy("decision_id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => row.decision_id);
}

function isSeenBy({ outcome, proposal }: DecisionStory, principal: Principal): boolean {
  const requestedBy = proposal?.requestedBy ?? String(outcome.body["principal"]);
  const recorded = outcome.body["onBehalfOf"];
  const onBehalfOf = proposal?.onBehalfOf ?? (typeof recorded === "string" ? recorded : null);
  return policy.maySee({ principal, requestedBy, onBehalfOf }).kind === "permitted";
}

function checkId(decisionId: string): void {
  if (!isId(decisionId)) throw notFound(decisionId);
}

function checkReason(reason: string): void {
  if (!isKeepableText(reason)) throw new CountersignError("bad_text", "the reason holds NUL or a lone surrogate");
  if (reason.trim() === "") throw new CountersignError("bad_request", "a rejection needs a reason; the requester is told it");
  if (reason.length > reasonLength) throw new CountersignError("too_large", `a reason has at most ${reasonLength} characters`);
}

function checkSlice({ slice, thresholdPpm }: { slice: string; thresholdPpm: number }): void {
  if (!Number.isInteger(thresholdPpm) || thresholdPpm < 0 || thresholdPpm > neverAutoPpm) {
    throw new CountersignError("bad_request", `a threshold is a whole number of parts per million, from 0 to ${neverAutoPpm}`);
  }
  if (slice === "" || slice.length > limits.idempotencyKeyLength || !isKeepableText(slice)) {
    throw new CountersignError("bad_request", `a slice has a name of 1 to ${limits.idempotencyKeyLength} characters`);
  }
}

function notFound(decisionId: string): CountersignError {
  return new CountersignError("not_found", "no decision of that id is open to you", {
    facts: isId(decisionId) ? { decisionId } : {},
  });
}
