import { CountersignError } from "../contract/errors.ts";
import type { Explanation } from "../contract/explanation.ts";
import type { Seeing, SightOf } from "../contract/ports.ts";
import type { Principal } from "../contract/principal.ts";
import type { DecisionView, EntryView, Sight } from "../contract/views.ts";
import type { Route } from "../contract/words.ts";
import type { Database, Tx } from "../store/database.ts";
import { isId } from "../store/ids.ts";
import { explain } from "./explain/explain.ts";
import { readRelated, seeingOfBody } from "./explain/related.ts";
import { numberAt, textAt } from "./fields.ts";
import { countWaiting, listAsked, listWaiting } from "./lists.ts";
import { readMark } from "./mark.ts";
import type { PayloadKeys } from "./payload.ts";
import { type DecisionStory, readDecision } from "./read.ts";
import { storyOf } from "./told.ts";
import { viewDecision } from "./view.ts";

/** One decision as somebody may read it. */
export interface ToldDecision {
  readonly view: DecisionView;
  /** Its entries in their order. */
  readonly entries: readonly EntryView[];
}

type Of = { readonly principal: Principal; readonly decisionId: string };
type ListOf = { readonly principal: Principal; readonly limit: number };

/** Decisions as principals may read them. What one may not see is not there. */
export interface Reading {
  /** One decision; `not_found` where it does not exist or this principal may not see it. */
  readonly decision: (of: Of) => Promise<ToldDecision>;
  /** One decision's causal chain; `not_found` as above. */
  readonly explanation: (of: Of) => Promise<Explanation>;
  /** What waits for a person, oldest first. One that cannot be read stands in the list with its obstacle. */
  readonly waiting: (of: ListOf) => Promise<readonly DecisionView[]>;
  /** How many of the oldest `limit` decisions that wait for a person this principal may see; cheap, since it opens none. */
  readonly countWaiting: (of: ListOf) => Promise<number>;
  /** What this principal asked for, newest first; what is still being decided is not in it. */
  readonly asked: (of: ListOf) => Promise<readonly DecisionView[]>;
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
  const list = ({ principal, limit }: ListOf, idsOf: typeof listAsked) =>
    database.inSnapshot(principal.tenant, async (tx) => {
      const views: DecisionView[] = [];
      for (const decisionId of await idsOf({ tx, principal, limit })) {
        const one = await seen(tx, { principal, decisionId });
        if (one !== null) views.push(viewDecision(one.story, one.sight));
      }
      return views;
    });
  return {
    decision: async (of) => {
      const one = isId(of.decisionId) ? await database.inSnapshot(of.principal.tenant, (tx) => seen(tx, of)) : null;
      if (one === null) throw notFound(of.decisionId);
      return { view: viewDecision(one.story, one.sight), entries: storyOf(one.story, one.sight) };
    },
    explanation: async (of) => {
      const told = isId(of.decisionId) ? await database.inSnapshot(of.principal.tenant, (tx) => explained(tx, of)) : null;
      if (told === null) throw notFound(of.decisionId);
      return told;
    },
    waiting: (of) => list(of, ({ tx, principal: { tenant }, limit }) => listWaiting({ tx, tenant, limit })),
    countWaiting: ({ principal, limit }) => {
      const { tenant } = principal;
      const sees = (body: string) => sightOf(seeingOfBody(principal, body)) !== null;
      return database.inSnapshot(tenant, (tx) => countWaiting({ tx, tenant, limit }, sees));
    },
    asked: (of) => list(of, listAsked),
    mark: ({ principal: { tenant }, decisionId }) => database.inSnapshot(tenant, (tx) => readMark({ tx, tenant, decisionId })),
  };
}

/** What of a decision matters for who may see it. */
export function seeingOf(principal: Principal, { tenant, requestedBy, onBehalfOf, outcome: { body } }: DecisionStory): Seeing {
  // Written from the closed list by the journal.
  const route = textAt(body, "route") as Route | null;
  return { principal, tenant, requestedBy, onBehalfOf, route, effects: numberAt(body, "effects") ?? 0 };
}

function notFound(decisionId: string): CountersignError {
  return new CountersignError("not_found", "no decision of that id is open to you", {
    facts: isId(decisionId) ? { decisionId } : {},
  });
}
