import type { Context } from "hono";
import { errorCodes } from "../../contract/errors.ts";
import { type FaultLog, knownError, problemResponse } from "../problem.ts";
import type { Routes } from "../routes.ts";
import { type Doors, sendPage, sessionOf, toSignIn } from "./doors.ts";
import { noticeFor } from "./pages/error-words.ts";
import { layout } from "./pages/layout.ts";
import { notice } from "./pages/notice.ts";

/** Answers errors of the pages with a page that says what happened, what is safe and what to do; those of the API stay problem details. */
export function addErrorPages(routes: Routes, { doors, log }: { doors: Doors; log: FaultLog }): void {
  routes.onFault(async (context, thrown) => {
    if (!isForPeople(context)) return problemResponse({ context, thrown, log });
    const error = knownError({ context, thrown, log });
    if (error.code === "unauthenticated") return toSignIn(context);
    const person = await sessionOf(context, doors).catch(() => undefined);
    const frame = { title: "Error", page: "notice", isDemo: doors.demoPeople !== null, person } as const;
    return sendPage(context, layout(frame, notice(noticeFor(error), 1)), errorCodes[error.code].status);
  });
}

function isForPeople(context: Context): boolean {
  const isPage = !/^\/(?:v1\/|healthz|assets\/|console\/)/.test(context.req.path);
  return isPage && (context.req.header("accept") ?? "").includes("text/html");
}
