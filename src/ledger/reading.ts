import { CountersignError } from "../contract/errors.ts";
import type { Explanation } from "../contract/explanation.ts";
import type { ReadPage } from "../contract/page.ts";
import type { SightOf } from "../contract/ports.ts";
import type { Principal } from "../contract/principal.ts";
import type { ReviewEvidence } from "../contract/review-evidence.ts";
import type { DecisionView, EntryView, Sight } from "../contract/views.ts";
import type { Database, Tx } from "../store/database.ts";
import { isId } from "../store/ids.ts";
import { evidenceOf } from "./evidence.ts";
import { explain } from "./explain/explain.ts";
import { readRelated, seeingOfBody } from "./explain/related.ts";
import { type DecisionQuestion, listDecisions } from "./list-decisions.ts";
import { countWaiting, listWaiting, type WaitingQuestion } from "./lists.ts";
import { readMark } from "./mark.ts";
import type { PayloadKeys } from "./payload.ts";
import { type DecisionStory, readDecision } from "./read.ts";
import { readPage } from "./read-page.ts";
import { seeingOf } from "./seeing.ts";
import { storyOf } from "./told.ts";
import { viewDecision } from "./view.ts";

/** One decision as somebody may read it. */
export interface ToldDecision {
  readonly view: DecisionView;
  /** Its entries in their order. */
  readonly entries: readonly EntryView[];
}

type Of = { readonly principal: Principal; readonly decisionId: string };
/** One page of a list: at most `limit` of what comes after a place. */
interface PageOf {
  readonly principal: Principal;
  readonly limit: number;
  readonly after: string | null;
}

/** Which decisions are listed. */
export type DecisionsAsked = PageOf & Omit<DecisionQuestion, "tenant" | "limit" | "after">;
/** Which of what waits is listed. */
export type WaitingAsked = PageOf & Pick<WaitingQuestion, "capability" | "state">;

/** Decisions as principals may read them. What one may not see is not there. */
export interface Reading {
  /** One decision; `not_found` where it does not exist or this principal may not see it. */
  readonly decision: (of: Of) => Promise<ToldDecision>;
  /** What one decision rests on, by number; `not_found` as above. */
  readonly evidence: (of: Of) => Promise<ReviewEvidence>;
  /** One decision's causal chain; `not_found` as above. */
  readonly explanation: (of: Of) => Promise<Explanation>;
  /** What waits for a person, oldest first. One that cannot be read stands in the list with its obstacle. */
  readonly waiting: (of: WaitingAsked) => Promise<ReadPage<DecisionView, [string]>>;
  /** How many of the oldest `limit` decisions that wait for a person this principal may see; cheap, since it opens none. */
  readonly countWaiting: (of: { readonly principal: Principal; readonly limit: number }) => Promise<number>;
  /**
   * Decisions with an outcome, newest first, as far as this principal may see them. A page may hold fewer than were asked for while there
   * are more: what is rare is looked for over several pages.
   */
  readonly decisions: (of: DecisionsAsked) => Promise<ReadPage<DecisionView, [string]>>;
  /** Changes whenever something was recorded of a decision of this principal's tenant. */
  readonly mark: (of: Of) => Promise<string>;
}

/** Reads decisions over a role's database, each as far as policy's `sightOf` lets the principal see it. */
export function openReading({ database, keys, sightOf }: { database: Database; keys: PayloadKeys; sightOf: SightOf }): Reading {
  const seen = async (tx: Tx, { principal, decisionId }: Of): Promise<{ story: DecisionStory; sight: Sight } | null> => {
    const story = await readDecision({ tx, tenant: principal.tenant, decisionId, keys, unreadable: "mark" });
    const sight = story === null ? null : sightOf(seeingOf(principal, story));
    return story === null || sight === null ? null : { story, sight };
  };
  const explained = async (tx: Tx, of: Of): Promise<Explanation | null> => {
    const one = await seen(tx, of);
    if (one === null) return null;
    const { principal } = of;
    return explain({
      ...one,
      related: await readRelated({ tx, principal, story: one.story }, (seeing) => sightOf(seeing) !== null),
    });
  };
  const found = async (of: Of) => {
    const one = isId(of.decisionId) ? await database.inSnapshot(of.principal.tenant, (tx) => seen(tx, of)) : null;
    if (one === null) throw notFound(of.decisionId);
    return one;
  };
  return {
    decision: async (of) => {
      const { story, sight } = await found(of);
      return { view: viewDecision(story, sight), entries: storyOf(story, sight) };
    },
    evidence: async (of) => {
      const { story, sight } = await found(of);
      return evidenceOf(story, sight, viewDecision(story, sight));
    },
    explanation: async (of) => {
      const told = isId(of.decisionId) ? await database.inSnapshot(of.principal.tenant, (tx) => explained(tx, of)) : null;
      if (told === null) throw notFound(of.decisionId);
      return told;
    },
    waiting: (of) => {
      const { principal, capability = null, state = null } = of;
      const list = (tx: Tx, after: string | null, limit: number) =>
        listWaiting(tx, { tenant: principal.tenant, capability, state, after, limit });
      return database.inSnapshot(principal.tenant, (tx) => readPage({ tx, of, keys, sightOf, list, fits: () => true }));
    },
    countWaiting: ({ principal, limit }) => {
      const { tenant } = principal;
      const sees = (body: string) => sightOf(seeingOfBody(principal, body)) !== null;
      return database.inSnapshot(tenant, (tx) => countWaiting(tx, { tenant, limit }, sees));
    },
    decisions: (of) => {
      const { principal, person, capability, state, from, before } = of;
      const { tenant } = principal;
      const list = (tx: Tx, after: string | null, limit: number) =>
        listDecisions(tx, { tenant, person, capability, state, from, before, after, limit });
      const fits = (view: DecisionView) => state === null || view.state === state;
      return database.inSnapshot(tenant, (tx) => readPage({ tx, of, keys, sightOf, list, fits }));
    },
    mark: ({ principal: { tenant }, decisionId }) => database.inSnapshot(tenant, (tx) => readMark({ tx, tenant, decisionId })),
  };
}

function notFound(decisionId: string): CountersignError {
  return new CountersignError("not_found", "no decision of that id is open to you", {
    facts: isId(decisionId) ? { decisionId } : {},
  });
}
