import { CountersignError } from "../../contract/errors.ts";
import type { Explanation } from "../../contract/explanation.ts";
import type { ReadPage } from "../../contract/page.ts";
import type { Principal } from "../../contract/principal.ts";
import type { ReviewCount } from "../../contract/review-count.ts";
import type { ReviewEvidence } from "../../contract/review-evidence.ts";
import type { DecisionState, DecisionView, EntryView } from "../../contract/views.ts";
import type { Policy } from "../../guard/policy/policy.ts";
import type { Reading, ToldDecision } from "../../ledger/reading.ts";
import type { Shown } from "./shown.ts";

/** Most reviews that are counted. */
const mostCounted = 10_000;

type Of = { readonly principal: Principal; readonly decisionId: string };

/** One page: at most `limit` after a place in the list, from its beginning where that is `null`. */
interface PageAsked {
  readonly principal: Principal;
  readonly limit: number;
  readonly after?: string | null | undefined;
}

/** Whose decisions are listed, and which of them. Times are when they were asked for, in milliseconds since the epoch. */
export interface DecisionsAsked extends PageAsked {
  /** `all`: those of the tenant, for whom policy shows more than their own; `forbidden` for everybody else. */
  readonly of?: "mine" | "all" | undefined;
  readonly state?: DecisionState | null | undefined;
  readonly capability?: string | null | undefined;
  /** Of one person alone. */
  readonly person?: string | null | undefined;
  readonly from?: number | null | undefined;
  readonly before?: number | null | undefined;
}

/** What people read of decisions at the desk, each as far as they may, with what the desk alone knows of it. */
export interface Telling {
  /** What waits for a person, the oldest first, which ends first too, as far as this principal may see it; with its obstacle where one has any. */
  readonly reviews: (
    asking: PageAsked & { capability?: string | null | undefined; state?: "waiting" | "needs_person" | null | undefined },
  ) => Promise<ReadPage<DecisionView, [string]>>;
  /** How many of these there are. */
  readonly countReviews: (asking: { principal: Principal }) => Promise<ReviewCount>;
  /** What the proposal of one decision rests on, by number; `not_found` as for `decision`. */
  readonly evidence: (asking: Of) => Promise<ReviewEvidence>;
  /** Decisions with an outcome, newest first; what is still being decided is not in it. A page may hold fewer than were asked for. */
  readonly decisions: (asking: DecisionsAsked) => Promise<ReadPage<DecisionView, [string]>>;
  /** One decision with its entries, read once; `not_found` where it does not exist or this principal may not see it. */
  readonly told: (asking: Of) => Promise<ToldDecision>;
  /** One decision; `not_found` as for `told`. */
  readonly decision: (asking: Of) => Promise<DecisionView>;
  /** The entries of one decision in their order; `not_found` as for `told`. */
  readonly story: (asking: Of) => Promise<readonly EntryView[]>;
  /** The causal chain of one decision; `not_found` as for `told`. */
  readonly explanation: (asking: Of) => Promise<Explanation>;
}

/** Opens it. */
export function openTelling({ reading, shown, policy }: { reading: Reading; shown: Shown; policy: Policy }): Telling {
  const shownOne = async ({ principal }: Of, view: DecisionView) => (await shown(principal, [view]))[0] ?? view;
  const shownPage = async ({ principal }: PageAsked, { items, last }: ReadPage<DecisionView, [string]>) => ({
    items: await shown(principal, items),
    last,
  });
  const told = async (asking: Of) => {
    const { view, entries } = await reading.decision(asking);
    return { view: await shownOne(asking, view), entries };
  };
  return {
    reviews: async ({ after = null, ...asking }) => shownPage(asking, await reading.waiting({ ...asking, after })),
    countReviews: async ({ principal }) => {
      const counted = await reading.countWaiting({ principal, limit: mostCounted + 1 });
      return { count: Math.min(counted, mostCounted), isOver: counted > mostCounted };
    },
    evidence: (asking) => reading.evidence(asking),
    decisions: async (asking) => shownPage(asking, await reading.decisions(questionOf(asking, policy))),
    told,
    decision: async (asking) => (await told(asking)).view,
    story: async (asking) => (await told(asking)).entries,
    explanation: async (asking) => {
      const { decision, ...chain } = await reading.explanation(asking);
      return { ...chain, decision: await shownOne(asking, decision) };
    },
  };
}

function questionOf(asking: DecisionsAsked, policy: Policy) {
  const { principal, limit, after = null, of = "mine", state = null, capability = null, from = null, before = null } = asking;
  if (of === "all" && !seesOthers(principal, policy))
    throw new CountersignError("forbidden", "the decisions of others are not open to you; ask for your own");
  const person = of === "mine" ? principal.id : (asking.person ?? null);
  // Of somebody else's, nothing is one's own.
  const isNobody = of === "mine" && asking.person !== undefined && asking.person !== null && asking.person !== principal.id;
  if (isNobody) throw new CountersignError("bad_request", "your own decisions are asked for without `person`, or with `of=all`");
  return { principal, limit, after, person, state, capability, from, before };
}

function seesOthers(principal: Principal, policy: Policy): boolean {
  if (policy.mayReview(principal).kind === "permitted") return true;
  const ofAnother = { principal, tenant: principal.tenant, requestedBy: "", onBehalfOf: null, route: null, effects: 0 };
  return policy.mayAudit(ofAnother).kind === "permitted";
}
