import type { Context, Hono } from "hono";
import { z } from "zod";
import { CountersignError, errorCodes, isCountersignError } from "../../contract/errors.ts";
import type { DecisionView } from "../../contract/views.ts";
import { type Doors, sessionOf, sessionOfForm, showPage, waitingFor } from "./doors.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { readForm } from "./form.ts";
import { noticeFor } from "./pages/error-words.ts";
import type { Notice } from "./pages/notice.ts";
import { reviewPage } from "./pages/review.ts";
import type { SignStep } from "./pages/sign-bar.ts";
import type { Session } from "./sessions.ts";
import { toSignIn } from "./sign-in.ts";

const approveForm = z.strictObject({ token: z.string().max(100) });
const rejectForm = z.strictObject({ token: z.string().max(100), reason: z.string().max(2000) });

/** Adds the page Review: the queue, one item, and the two answers. */
export function addReviewPages(app: Hono, doors: Doors): void {
  app.get("/review", async (context) => {
    const session = sessionOf(context, doors);
    return session === undefined ? toSignIn(context) : showReview(context, doors, { session, id: null, step: "answer" });
  });
  app.get("/review/:id", async (context) => {
    const session = sessionOf(context, doors);
    if (session === undefined) return toSignIn(context);
    return showReview(context, doors, { session, id: context.req.param("id"), step: stepOf(context.req.query("step")) });
  });
  app.post("/review/:id/approve", async (context) => {
    const { token } = await readForm(context, approveForm);
    const session = sessionOfForm(context, doors, token);
    const decisionId = context.req.param("id");
    const sign = () => doors.desk.approve({ principal: session.principal, decisionId });
    return answered(context, doors, { session, decisionId, sign, step: "answer", reason: "" });
  });
  for (const verb of ["withdraw", "take", "release"] as const) {
    app.post(`/review/:id/${verb}`, async (context) => {
      const { token } = await readForm(context, approveForm);
      const session = sessionOfForm(context, doors, token);
      const decisionId = context.req.param("id");
      const sign = () => doors.desk[verb]({ principal: session.principal, decisionId });
      return answered(context, doors, { session, decisionId, sign, step: "answer", reason: "" });
    });
  }
  app.post("/review/:id/reject", async (context) => {
    const { token, reason } = await readForm(context, rejectForm);
    const session = sessionOfForm(context, doors, token);
    const decisionId = context.req.param("id");
    const sign = () => doors.desk.reject({ principal: session.principal, decisionId, reason });
    return answered(context, doors, { session, decisionId, sign, step: "reject", reason });
  });
}

/** Answers a proposal and shows what came of it; a refusal stands above the item, which stays readable. */
async function answered(
  context: Context,
  doors: Doors,
  {
    session,
    decisionId,
    sign,
    step,
    reason,
  }: { session: Session; decisionId: string; sign: () => Promise<unknown>; step: SignStep; reason: string },
): Promise<Response> {
  try {
    await sign();
    return context.redirect(`/review/${decisionId}`, 303);
  } catch (thrown) {
    if (!isCountersignError(thrown) || thrown.code === "not_found") throw thrown;
    const { status } = errorCodes[thrown.code];
    return showReview(context, doors, { session, id: decisionId, step, reason, problem: noticeFor(thrown), status });
  }
}

function stepOf(step: string | undefined): SignStep {
  return step === "approve" || step === "reject" ? step : "answer";
}

interface Shown {
  readonly session: Session;
  readonly id: string | null;
  readonly step: SignStep;
  readonly reason?: string;
  readonly problem?: Notice;
  readonly status?: number;
}

async function showReview(
  context: Context,
  doors: Doors,
  { session, id, step, reason = "", problem, status }: Shown,
): Promise<Response> {
  const waiting = await waitingFor(session, doors);
  if (waiting === null) throw new CountersignError("forbidden", "reviewing is not open to you");
  const open = await openItem({ doors, session, id, waiting });
  const content = reviewPage({
    session,
    waiting,
    open,
    isQueueFirst: id === null,
    step,
    reason,
    problem: problem ?? null,
    nameOf: doors.nameOf,
    now: doors.now(),
  });
  const views = open === null ? waiting : [open.view, ...waiting];
  return showPage(context, doors, {
    title: open?.view.summary ?? "Review",
    page: "review",
    session,
    views,
    waiting,
    content,
    ...(status === undefined ? {} : { status }),
  });
}

/** The item that was asked for; for the queue itself the one that has waited longest. */
async function openItem({
  doors: { desk },
  session: { principal },
  id,
  waiting,
}: {
  doors: Doors;
  session: Session;
  id: string | null;
  waiting: readonly DecisionView[];
}): Promise<({ view: DecisionView } & Evidence) | null> {
  const decisionId = id ?? waiting[0]?.id;
  if (decisionId === undefined) return null;
  const { view, entries } = await desk.told({ principal, decisionId });
  return { view, ...evidenceOf(entries) };
}
