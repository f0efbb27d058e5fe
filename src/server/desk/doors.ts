import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { CountersignError } from "../../contract/errors.ts";
import type { Identities, Identity } from "../../contract/identity.ts";
import type { Desk } from "../../desk.ts";
import type { Rates } from "../rates.ts";
import type { Handler, Place, Routes, Rule } from "../routes.ts";
import { isSecure } from "../secure-headers.ts";
import type { Forward } from "./forward.ts";
import type { Html } from "./pages/html.ts";
import type { DemoPerson } from "./pages/sign-in.ts";
import { isToken, type Session, type Sessions } from "./sessions.ts";

/** What the pages are made from. */
export interface Doors {
  readonly desk: Desk;
  readonly identities: Identities;
  readonly rates: Rates;
  readonly forward: Forward;
  readonly sessions: Sessions;
  readonly demoPeople: readonly DemoPerson[] | null;
  /** What people know the identity provider by, where they may sign in there. */
  readonly providerName: string | null;
  readonly now: () => number;
}

/** The session behind a request's cookie, with its person as they are now; nothing once their account or the key they came with is no good. */
export async function sessionOf(context: Context, { sessions, identities }: Doors): Promise<Session | undefined> {
  const id = getCookie(context, cookieName(context));
  const session = sessions.find(id);
  if (session === undefined) return undefined;
  const identity = await identities.again(session);
  if (identity !== undefined) return { ...session, ...identity };
  sessions.end(id);
  return undefined;
}

/** Adds a page for whoever has signed in; everybody else is led to do so, and back afterwards. */
export function addPage(
  routes: Routes,
  { doors, path, who, scope }: { doors: Doors } & Pick<Place, "path"> & Rule,
  handler: Handler<Session>,
): void {
  const find = async (context: Context) => (await sessionOf(context, doors)) ?? toSignIn(context);
  routes.session({ method: "GET", path, who, scope }, find, handler);
}

/** Adds what a form of the pages is posted to. The handler reads the form and hands its token to `checkToken`. */
export function addForm(
  routes: Routes,
  { doors, path, who, scope }: { doors: Doors } & Pick<Place, "path"> & Rule,
  handler: Handler<Session>,
): void {
  const find = async (context: Context) => {
    const session = await sessionOf(context, doors);
    if (session !== undefined) return session;
    throw new CountersignError("unauthenticated", "your sign-in has ended; sign in and send it again");
  };
  routes.session({ method: "POST", path, who, scope }, find, handler);
}

/** Refuses a posted form that did not bring the token of its session. Throws `forbidden`. */
export function checkToken(session: Session, token: string): void {
  if (isToken(session, token)) return;
  throw new CountersignError("forbidden", "the form is of an earlier sign-in; load the page again");
}

/** Sends somebody who is not signed in to do so, and back afterwards. */
export function toSignIn(context: Context): Response {
  const { pathname, search } = new URL(context.req.url);
  return context.redirect(
    pathname === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next: `${pathname}${search}` })}`,
    303,
  );
}

/** Begins a session and puts its id, and nothing else, into a cookie that scripts and other sites cannot use. */
export function beginSession(context: Context, { sessions }: Doors, identity: Identity): void {
  sessions.end(getCookie(context, cookieName(context)));
  setCookie(context, cookieName(context), sessions.begin(identity), {
    path: "/",
    httpOnly: true,
    sameSite: "Strict",
    secure: isSecure(context),
  });
}

/** Ends the session of a request, here and in the browser. */
export function endSession(context: Context, { sessions }: Doors): void {
  sessions.end(getCookie(context, cookieName(context)));
  deleteCookie(context, cookieName(context), { path: "/", secure: isSecure(context) });
}

/** Sends a plain page with what holds for all of them: no code at all, no frame around it, forms to here alone. */
export async function sendPage(context: Context, page: Html, status = 200): Promise<Response> {
  context.header("content-security-policy", contentSecurityPolicy);
  context.header("referrer-policy", "same-origin");
  // The statuses are those of the closed list of errors.
  return context.html(page, status as 200);
}

const contentSecurityPolicy = [
  "default-src 'none'",
  ...["style-src", "form-action", "img-src"].map((kind) => `${kind} 'self'`),
  ...["frame-ancestors", "base-uri"].map((kind) => `${kind} 'none'`),
].join("; ");

/**
 * The name of the session's cookie. By https it is one that no other host and no path can have set. Without, ports are told apart, which
 * cookies do not know: two desks on one machine must not end each other's sessions.
 */
export function cookieName(context: Context): string {
  return isSecure(context) ? "__Host-countersign" : `countersign_${new URL(context.req.url).port || "web"}`;
}
