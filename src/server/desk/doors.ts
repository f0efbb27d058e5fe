import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { CountersignError, isCountersignError } from "../../contract/errors.ts";
import type { DecisionView } from "../../contract/views.ts";
import type { Desk } from "../../desk.ts";
import type { Identify } from "../identity.ts";
import type { Forward } from "./forward.ts";
import type { Html } from "./pages/html.ts";
import { type Frame, layout } from "./pages/layout.ts";
import type { DemoPerson } from "./pages/sign-in.ts";
import type { NameOf } from "./pages/steps.ts";
import { stoppedStrip } from "./pages/stopped.ts";
import { isToken, type Session, type Sessions } from "./sessions.ts";

/** What the pages are made from. */
export interface Doors {
  readonly desk: Desk;
  readonly identify: Identify;
  readonly forward: Forward;
  readonly sessions: Sessions;
  readonly demoPeople: readonly DemoPerson[] | null;
  readonly nameOf: NameOf;
  readonly now: () => number;
}

/** The session behind a request's cookie, if it lives and its key is still known. */
export function sessionOf(context: Context, { sessions, identify }: Doors): Session | undefined {
  const id = getCookie(context, cookieName(context));
  const session = sessions.find(id);
  if (session === undefined || identify(session.key) !== undefined) return session;
  sessions.end(id);
  return undefined;
}

/** The session of a posted form that brought its token. Throws `unauthenticated` or `forbidden`. */
export function sessionOfForm(context: Context, doors: Doors, token: string): Session {
  const session = sessionOf(context, doors);
  if (session === undefined) throw new CountersignError("unauthenticated", "your sign-in has ended; sign in and send it again");
  if (isToken(session, token)) return session;
  throw new CountersignError("forbidden", "the form is of an earlier sign-in; load the page again");
}

/** Begins a session and puts its id, and nothing else, into a cookie that scripts and other sites cannot use. */
export function beginSession(
  context: Context,
  { sessions }: Doors,
  { identity, key }: { identity: Pick<Session, "principal" | "name">; key: string },
): void {
  sessions.end(getCookie(context, cookieName(context)));
  const isSecure = new URL(context.req.url).protocol === "https:" || context.req.header("x-forwarded-proto") === "https";
  setCookie(context, cookieName(context), sessions.begin(identity, key), {
    path: "/",
    httpOnly: true,
    sameSite: "Strict",
    secure: isSecure,
  });
}

/** Ends the session of a request, here and in the browser. */
export function endSession(context: Context, { sessions }: Doors): void {
  sessions.end(getCookie(context, cookieName(context)));
  deleteCookie(context, cookieName(context), { path: "/" });
}

/** A page for somebody who is signed in, with the count of what waits for them in the rail. */
export async function showPage(
  context: Context,
  doors: Doors,
  shown: Pick<Frame, "title" | "page"> & {
    session: Session;
    views: readonly DecisionView[];
    content: Html;
    waiting?: readonly DecisionView[];
    status?: number;
  },
): Promise<Response> {
  const { principal } = shown.session;
  const { nameOf, now } = doors;
  // A page is worth showing without the count, and without what is said of stops.
  const stopped = await doors.desk.stopped({ principal }).catch(() => null);
  const frame: Frame = {
    ...shown,
    ...(stopped === null ? {} : { stopped: stoppedStrip({ stopped, nameOf, now: now() }) }),
    waiting: shown.waiting?.length ?? (await doors.desk.countWaiting({ principal }).catch(() => null)),
    isDemo: doors.demoPeople !== null,
    isScripted: shown.views.some((view) => view.isScripted),
  };
  return sendPage(context, layout(frame, shown.content), shown.status);
}

/** What waits for a person; `null` where reviewing is not open to them. */
export async function waitingFor({ principal }: Session, { desk }: Doors): Promise<readonly DecisionView[] | null> {
  if (!principal.roles.includes("approver")) return null;
  try {
    return await desk.reviews({ principal });
  } catch (thrown) {
    if (isCountersignError(thrown, "forbidden")) return null;
    throw thrown;
  }
}

/** Sends a page with what holds for all pages: no code but our own file, no frame around it, forms to here alone. */
export async function sendPage(context: Context, page: Html, status = 200): Promise<Response> {
  context.header("content-security-policy", contentSecurityPolicy);
  context.header("referrer-policy", "same-origin");
  context.header("cross-origin-opener-policy", "same-origin");
  // The statuses are those of the closed list of errors.
  return context.html(page, status as 200);
}

const contentSecurityPolicy = [
  "default-src 'none'",
  ...["style-src", "script-src", "form-action", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
  ...["frame-ancestors", "base-uri"].map((kind) => `${kind} 'none'`),
].join("; ");

/** Cookies know no ports; two desks on one machine must not end each other's sessions. */
function cookieName(context: Context): string {
  return `countersign_${new URL(context.req.url).port || "web"}`;
}
