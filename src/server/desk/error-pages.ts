import type { Context, Hono } from "hono";
import { CountersignError, errorCodes } from "../../contract/errors.ts";
import { type FaultLog, knownError, problemResponse } from "../problem.ts";
import { type Doors, sendPage, sessionOf } from "./doors.ts";
import { noticeFor } from "./pages/error-words.ts";
import { layout } from "./pages/layout.ts";
import { notice } from "./pages/notice.ts";
import { toSignIn } from "./sign-in.ts";

/** Answers errors of the pages with a page that says what happened, what is safe and what to do; those of the API stay problem details. */
export function addErrorPages(app: Hono, { doors, log }: { doors: Doors; log: FaultLog }): void {
  const answer = (context: Context, thrown: unknown): Response | Promise<Response> => {
    if (!isForPeople(context)) return problemResponse({ context, thrown, log });
    const error = knownError({ context, thrown, log });
    if (error.code === "unauthenticated") return toSignIn(context);
    const session = sessionOf(context, doors) ?? null;
    const frame = {
      title: "Error",
      page: "notice",
      session,
      waiting: null,
      isDemo: doors.demoPeople !== null,
      isScripted: false,
    } as const;
    return sendPage(context, layout(frame, notice(noticeFor(error), 1)), errorCodes[error.code].status);
  };
  app.onError((thrown, context) => answer(context, thrown));
  app.notFound((context) => {
    const path = `${context.req.method} ${context.req.path.slice(0, 80)}`;
    return answer(context, new CountersignError("not_found", `there is no route \`${path}\``));
  });
}

function isForPeople(context: Context): boolean {
  const isPage = !/^\/(?:v1\/|healthz|states|assets\/)/.test(context.req.path);
  return isPage && (context.req.header("accept") ?? "").includes("text/html");
}
