import type { Hono } from "hono";
import { CountersignError, isCountersignError } from "../../contract/errors.ts";
import type { DecisionView } from "../../contract/views.ts";
import { type Doors, sessionOf, showPage } from "./doors.ts";
import { evidenceOf } from "./evidence.ts";
import { decisionPage } from "./pages/decision.ts";
import { liveLines, lookAgainMs } from "./pages/state-line.ts";
import type { NameOf } from "./pages/steps.ts";
import type { Line } from "./pages/words.ts";
import { toSignIn } from "./sign-in.ts";

const mostLookedAt = 20;

/** What the pages' script reads of one decision that moves. */
interface StateItem {
  readonly id: string;
  /** How soon to look again; `null` where it has ended. */
  readonly againMs: number | null;
  readonly lines: Readonly<Record<string, Line>>;
}

/** Adds the page of one decision, and the states that the pages' script reads. */
export function addDecisionPages(app: Hono, doors: Doors): void {
  const { desk, nameOf, now } = doors;
  app.get("/decisions/:id", async (context) => {
    const session = sessionOf(context, doors);
    if (session === undefined) return toSignIn(context);
    const { principal } = session;
    const decisionId = context.req.param("id");
    const { view, entries } = await desk.told({ principal, decisionId });
    const content = decisionPage({ view, story: entries, ...evidenceOf(entries), nameOf, now: now() });
    return showPage(context, doors, { title: view.summary ?? "Decision", page: "decision", session, views: [view], content });
  });
  app.get("/states", async (context) => {
    const session = sessionOf(context, doors);
    if (session === undefined) throw new CountersignError("unauthenticated", "your sign-in has ended; sign in again");
    const { principal } = session;
    const ids = [...new Set(context.req.queries("id") ?? [])].slice(0, mostLookedAt);
    const views = await Promise.all(ids.map((decisionId) => desk.decision({ principal, decisionId }).catch(noneIfHidden)));
    return context.json({ items: views.filter((view) => view !== null).map((view) => stateItem(view, nameOf)) });
  });
}

function stateItem(view: DecisionView, nameOf: NameOf): StateItem {
  return { id: view.id, againMs: lookAgainMs(view), lines: liveLines(view, nameOf) };
}

function noneIfHidden(thrown: unknown): null {
  if (isCountersignError(thrown, "not_found")) return null;
  throw thrown;
}
