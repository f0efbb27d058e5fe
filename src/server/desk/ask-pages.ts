import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import { CountersignError, errorCodes, isCountersignError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Routes } from "../routes.ts";
import { addForm, addPage, checkToken, type Doors, showPage } from "./doors.ts";
import { readForm } from "./form.ts";
import type { Forwarded } from "./forward.ts";
import { askPage } from "./pages/ask.ts";
import { noticeFor } from "./pages/error-words.ts";
import type { Notice } from "./pages/notice.ts";
import { rememberAsked, type Session } from "./sessions.ts";

const askForm = z.strictObject({ text: z.string().max(limits.requestText), token: z.string().max(100), send: z.uuid() });
const mostShown = 30;

/** Adds the page Ask: the form, and what this person asked for. */
export function addAskPages(routes: Routes, doors: Doors): void {
  addPage(routes, { doors, path: "/", who: "account", scope: "read" }, (context, session) =>
    showAsk(context, doors, { session, text: "", problem: null }),
  );
  addForm(routes, { doors, path: "/ask", who: "account", scope: "ask" }, async (context, session) => {
    const { text, token, send } = await readForm(context, askForm);
    checkToken(session, token);
    try {
      const id = await ask(doors, { session, text, send });
      return context.redirect(`/#d-${id}`, 303);
    } catch (thrown) {
      // What was typed stays, whatever went wrong; a fault of ours goes on to where all of them are written down.
      if (!isCountersignError(thrown)) throw thrown;
      return showAsk(context, doors, { session, text, problem: noticeFor(thrown), status: errorCodes[thrown.code].status });
    }
  });
}

/** Asks the decider in the person's name and remembers what was typed under each decision that came of it. */
async function ask(
  { forward }: Doors,
  { session, text, send }: { session: Session; text: string; send: string },
): Promise<string> {
  if (text.trim() === "") throw new CountersignError("bad_request", "the request is empty; say what you need");
  const answer = await forward({
    method: "POST",
    path: "/v1/ask",
    identity: session,
    body: { text },
    headers: { "idempotency-key": send },
    begins: true,
  });
  const { intake, decision } = askedOf(answer);
  rememberAsked(session, intake.id, text);
  if (decision === undefined) return intake.id;
  rememberAsked(session, decision.id, text);
  return decision.id;
}

const withId = z.looseObject({ id: z.string() });
const askedForm = z.looseObject({ intake: withId, decision: withId.optional() });
const problemForm = z.looseObject({ code: z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes]), detail: z.string() });

function askedOf({ status, text }: Forwarded): z.infer<typeof askedForm> {
  const body: unknown = parsed(text);
  const asked = askedForm.safeParse(body);
  if (status < 300 && asked.success) return asked.data;
  const problem = problemForm.safeParse(body);
  if (problem.success) throw new CountersignError(problem.data.code, problem.data.detail);
  throw new CountersignError(
    "service_unavailable",
    "the decider gave an answer that is not understood; see that the versions agree",
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function showAsk(
  context: Context,
  doors: Doors,
  { session, text, problem, status }: { session: Session; text: string; problem: Notice | null; status?: number },
): Promise<Response> {
  const requests = await doors.desk.mine({ principal: session.principal, limit: mostShown });
  const content = askPage({ session, requests, sendKey: randomUUID(), text, problem, nameOf: doors.nameOf, now: doors.now() });
  return showPage(context, doors, {
    title: "Ask",
    page: "ask",
    session,
    views: requests,
    content,
    ...(status === undefined ? {} : { status }),
  });
}
