/** A customer's session of one task: what is asked for in it, and the person who signs. */
import { everything, type Principal } from "../../src/contract/principal.ts";
import type { DecisionView } from "../../src/contract/views.ts";
import type { Decider } from "../../src/decider.ts";
import { stateText } from "./canonical.ts";
import type { Domain } from "./domains.ts";
import { argsOf } from "./effects.ts";
import type { House } from "./house.ts";
import type { Asked } from "./scope.ts";

/** The tenant is the world of the task, so that tasks do not meet. */
export interface Session {
  readonly tenant: string;
  readonly domain: Domain;
  readonly customer: string;
}

/** The customer as the principal of the session. */
export function customerOf({ tenant, customer }: Session): Principal {
  return { tenant, id: customer, roles: ["customer"], attributes: {}, onBehalfOf: null, allow: everything };
}

/** Asks for one write; resolves to the decision, which waits for a person or was refused. */
export function submit(decider: Decider, { session, asked, key = null }: Submission): Promise<DecisionView> {
  return decider.decide({
    principal: customerOf(session),
    capability: `${session.domain}_desk`,
    inputs: { tool: asked.tool, arguments: asked.args },
    idempotencyKey: key,
  });
}

export interface Submission {
  readonly session: Session;
  readonly asked: Asked;
  /** The client's key against double submits. */
  readonly key?: string | null;
}

/** What a scripted person does with what waits: reads it as a reviewer and signs exactly what was to be signed. */
export async function answer(house: House, { session, decisionId, gold }: Answering): Promise<"signed" | "rejected"> {
  const principal = approverOf(session);
  const view = await house.desk.decision({ principal, decisionId });
  const isGold =
    gold === "anything" ||
    (gold !== null &&
      view.effects.length === 1 &&
      view.effects.every(({ effect, params }) => effect === gold.tool && isSame(argsOf(params as Asked["args"]), gold.args))); // params are an object
  if (isGold) await house.desk.approve({ principal, decisionId });
  else await house.desk.reject({ principal, decisionId, reason: "not what the customer needs" });
  return isGold ? "signed" : "rejected";
}

export interface Answering {
  readonly session: Session;
  readonly decisionId: string;
  /** The one write that may be signed; `null` for none. */
  readonly gold: Asked | "anything" | null;
}

/** One decision with all that became of it, refused ones too, as an owner sees it. */
export function look(house: House, session: Session, decisionId: string): Promise<DecisionView> {
  return house.desk.decision({ principal: ownerOf(session), decisionId });
}

/** Works on items, a few at a time, and gives the results in their order. */
export async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let place = next++; place < items.length; place = next++) {
      const item = items[place] as T; // within the bounds of the list
      results[place] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
  return results;
}

const laneCount = 8;

/** Who signs what the session waits for. */
export function approverOf({ tenant }: Session): Principal {
  return { tenant, id: "approver", roles: ["approver"], attributes: {}, onBehalfOf: null, allow: everything };
}

/** Who sees all of it. */
export function ownerOf({ tenant }: Session): Principal {
  return { tenant, id: "owner", roles: ["owner"], attributes: {}, onBehalfOf: null, allow: everything };
}

function isSame(one: Asked["args"], other: Asked["args"]): boolean {
  return stateText(one) === stateText(other);
}
