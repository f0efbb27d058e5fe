import type { Context } from "hono";
import { z } from "zod";
import { CountersignError, errorCodes, isCountersignError } from "../../contract/errors.ts";
import type { DecisionView } from "../../contract/views.ts";
import { idOf, type Routes } from "../routes.ts";
import { addForm, addPage, checkToken, type Doors, showPage, waitingFor } from "./doors.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { readForm } from "./form.ts";
import { noticeFor } from "./pages/error-words.ts";
import type { Notice } from "./pages/notice.ts";
import { reviewPage } from "./pages/review.ts";
import type { SignStep } from "./pages/sign-bar.ts";
import type { Session } from "./sessions.ts";

const approveForm = z.strictObject({ token: z.string().max(100) });
const rejectForm = z.strictObject({ token: z.string().max(100), reason: z.string().max(2000) });

/** Adds the page Review: the queue, one item, and the two answers. */
export function addReviewPages(routes: Routes, doors: Doors): void {
  const may = { doors, who: "approver" } as const;
  addPage(routes, { ...may, path: "/review", scope: "read" }, (context, session) =>
    showReview(context, doors, { session, id: null, step: "answer" }),
  );
  addPage(routes, { ...may, path: "/review/:id", scope: "read" }, (context, session) =>
    showReview(context, doors, { session, id: idOf(context), step: stepOf(context.req.query("step")) }),
  );
  addForm(routes, { ...may, path: "/review/:id/approve", scope: "sign" }, async (context, session) => {
    const { token } = await readForm(context, approveForm);
    checkToken(session, token);
    const decisionId = idOf(context);
    const sign = () => doors.desk.approve({ principal: session.principal, decisionId });
    return answered(context, doors, { session, decisionId, sign, step: "answer", reason: "" });
  });
  // Taking back is for whoever signed; letting go touches nothing but what one has taken up oneself.
  const rules = {
    withdraw: { who: "signer", scope: "sign" },
    take: { who: "approver", scope: "review" },
    release: { who: "account", scope: "review" },
  } as const;
  for (const verb of ["withdraw", "take", "release"] as const) {
    addForm(routes, { doors, ...rules[verb], path: `/review/:id/${verb}` }, async (context, session) => {
      const { token } = await readForm(context, approveForm);
      checkToken(session, token);
      const decisionId = idOf(context);
      const sign = () => doors.desk[verb]({ principal: session.principal, decisionId });
      return answered(context, doors, { session, decisionId, sign, step: "answer", reason: "" });
    });
  }
  addForm(routes, { ...may, path: "/review/:id/reject", scope: "review" }, async (context, session) => {
    const { token, reason } = await readForm(context, rejectForm);
    checkToken(session, token);
    const decisionId = idOf(context);
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
