import type { Context } from "hono";
import { z } from "zod";
import { CountersignError, errorCodes, isCountersignError } from "../../contract/errors.ts";
import type { DecisionView } from "../../contract/views.ts";
import { resolvedOutcomes } from "../../contract/words.ts";
import { idOf, type Routes } from "../routes.ts";
import { addForm, addPage, checkToken, type Doors, sessionOf, showPage } from "./doors.ts";
import { evidenceOf } from "./evidence.ts";
import { readForm } from "./form.ts";
import { decisionPage } from "./pages/decision.ts";
import { noticeFor } from "./pages/error-words.ts";
import type { TypedFinding } from "./pages/resolve-form.ts";
import { liveLines, lookAgainMs } from "./pages/state-line.ts";
import type { NameOf } from "./pages/steps.ts";
import type { Line } from "./pages/words.ts";
import type { Session } from "./sessions.ts";

const mostLookedAt = 20;

const resolveForm = z.strictObject({
  token: z.string().max(100),
  effectIndex: z
    .string()
    .regex(/^[0-9]{1,5}$/)
    .transform(Number),
  outcome: z.enum(resolvedOutcomes),
  evidence: z.string().max(4000),
  reason: z.string().max(2000),
});

/** What the pages' script reads of one decision that moves. */
interface StateItem {
  readonly id: string;
  /** How soon to look again; `null` where it has ended. */
  readonly againMs: number | null;
  readonly lines: Readonly<Record<string, Line>>;
}

/** Adds the page of one decision, the answer to what was left to people, and the states that the pages' script reads. */
export function addDecisionPages(routes: Routes, doors: Doors): void {
  const { desk, nameOf } = doors;
  addPage(routes, { doors, path: "/decisions/:id", who: "account", scope: "read" }, (context, session) =>
    showDecision(context, doors, { session, decisionId: idOf(context), refused: null }),
  );
  addForm(routes, { doors, path: "/decisions/:id/resolve", who: "approver", scope: "sign" }, async (context, session) => {
    const { token, ...finding } = await readForm(context, resolveForm);
    checkToken(session, token);
    const decisionId = idOf(context);
    try {
      await desk.resolve({ principal: session.principal, decisionId, ...finding });
      return context.redirect(`/decisions/${decisionId}`, 303);
    } catch (thrown) {
      if (!isCountersignError(thrown) || thrown.code === "not_found") throw thrown;
      return showDecision(context, doors, { session, decisionId, refused: { thrown, typed: finding } });
    }
  });
  const signedIn = async (context: Context): Promise<Session> => {
    const session = await sessionOf(context, doors);
    if (session !== undefined) return session;
    throw new CountersignError("unauthenticated", "your sign-in has ended; sign in again");
  };
  const states = { method: "GET", path: "/states", who: "account", scope: "read" } as const;
  routes.session(states, signedIn, async (context, { principal }) => {
    const ids = [...new Set(context.req.queries("id") ?? [])].slice(0, mostLookedAt);
    const views = await Promise.all(ids.map((decisionId) => desk.decision({ principal, decisionId }).catch(noneIfHidden)));
    return context.json({ items: views.filter((view) => view !== null).map((view) => stateItem(view, nameOf)) });
  });
}

/** The page of one decision; what was refused stands above it, and what was typed stays. */
async function showDecision(
  context: Context,
  doors: Doors,
  {
    session,
    decisionId,
    refused,
  }: { session: Session; decisionId: string; refused: { thrown: CountersignError; typed: TypedFinding } | null },
): Promise<Response> {
  const { desk, nameOf, now } = doors;
  const { view, entries } = await desk.told({ principal: session.principal, decisionId });
  const content = decisionPage({
    ...{ view, story: entries, ...evidenceOf(entries), session, nameOf, now: now() },
    refused: refused === null ? null : { problem: noticeFor(refused.thrown), typed: refused.typed },
  });
  return showPage(context, doors, {
    ...{ title: view.summary ?? "Decision", page: "decision", session, views: [view], content },
    ...(refused === null ? {} : { status: errorCodes[refused.thrown.code].status }),
  });
}

function stateItem(view: DecisionView, nameOf: NameOf): StateItem {
  return { id: view.id, againMs: lookAgainMs(view), lines: liveLines(view, nameOf) };
}

function noneIfHidden(thrown: unknown): null {
  if (isCountersignError(thrown, "not_found")) return null;
  throw thrown;
}
