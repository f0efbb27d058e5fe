import { createHash, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { CountersignError } from "../../contract/errors.ts";
import type { PendingSignIn, ProviderSignIn } from "../../contract/identity.ts";
import type { Routes } from "../routes.ts";
import { isSecure } from "../secure-headers.ts";
import { beginSession, cookieName, type Doors, sendPage } from "./doors.ts";
import { layout } from "./pages/layout.ts";
import { notice } from "./pages/notice.ts";
import { safeNext } from "./sign-in.ts";

/** One sign-in that has begun, kept in this process until the browser comes back. */
interface Begun extends PendingSignIn {
  readonly next: string;
  readonly expiresAt: number;
}

const goodForMs = 10 * 60_000;
const mostBegun = 1_000;
const frame = { title: "Signed in", page: "sign-in" } as const;

/**
 * Adds signing in at the identity provider. What was begun is bound to the browser by a cookie of its own, and is good once: nobody can
 * be signed in with somebody else's answer.
 */
export function addProviderSignIn(routes: Routes, doors: Doors, provider: ProviderSignIn | null): void {
  if (provider === null) return;
  const begun = new Map<string, Begun>();
  routes.open({ method: "GET", path: "/sign-in/provider" }, async (context) => {
    doors.rates.countAddress(context);
    const { url, pending } = await provider.begin();
    const id = randomBytes(32).toString("base64url");
    keep(begun, hashOf(id), { ...pending, next: safeNext(context.req.query("next")), expiresAt: doors.now() + goodForMs });
    // Lax, since the provider leads back here from another site.
    const options = { path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure(context), maxAge: goodForMs / 1000 } as const;
    setCookie(context, pendingCookie(context), id, options);
    return context.redirect(url, 303);
  });
  routes.open({ method: "GET", path: "/sign-in/callback" }, async (context) => {
    const pending = take(begun, hashOf(getCookie(context, pendingCookie(context)) ?? ""));
    deleteCookie(context, pendingCookie(context), { path: "/", secure: isSecure(context) });
    const isGood = pending !== undefined && pending.expiresAt > doors.now();
    const identity = isGood ? await provider.end({ search: new URL(context.req.url).search, pending }) : undefined;
    if (!isGood || identity === undefined)
      throw new CountersignError(
        "forbidden",
        "that sign-in is not good here: begin it again, or ask whether you have an account",
      );
    beginSession(context, doors, identity);
    // The session's cookie is kept from other sites, and a browser that was led here from one counts as one: our own page goes on.
    context.header("refresh", `0; url=${pending.next}`);
    const link = { href: pending.next, words: "Go on" };
    const content = notice({ title: "You are signed in.", detail: "The page goes on by itself.", link }, 1);
    return sendPage(context, layout({ ...frame, isDemo: doors.demoPeople !== null }, content));
  });
}

function pendingCookie(context: Context): string {
  return `${cookieName(context)}_begun`;
}

function keep(begun: Map<string, Begun>, hash: string, one: Begun): void {
  // A map keeps the order in which its keys came.
  for (const oldest of begun.keys()) {
    if (begun.size < mostBegun) break;
    begun.delete(oldest);
  }
  begun.set(hash, one);
}

function take(begun: Map<string, Begun>, hash: string): Begun | undefined {
  const one = begun.get(hash);
  begun.delete(hash);
  return one;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
