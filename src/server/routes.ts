import { type Context, Hono } from "hono";
import { CountersignError } from "../contract/errors.ts";
import type { Identify, Identity, KeyScope } from "../contract/identity.ts";
import { authenticate, checkScope, checkTenantNamed, credentialOf, unauthenticated } from "./authenticate.ts";
import { createBound, usualMostAtOnce } from "./bound.ts";
import { type FaultLog, problemResponse } from "./problem.ts";
import type { Rates } from "./rates.ts";
import { addSecureHeaders } from "./secure-headers.ts";

/**
 * Whom a route lets through under the default policy: `account` is everybody of the tenant, who finds what policy shows them, `signer`
 * whoever signed the thing at hand, `auditor` whoever audits or owns, `overseer` whoever approves besides.
 */
export type Audience = "account" | "approver" | "signer" | "owner" | "auditor" | "overseer";

/** Where a route is. */
export interface Place {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** What a route wants: for whom it is, and which use a key must have. Policy is asked behind it about the thing at hand. */
export interface Rule {
  readonly who: Audience;
  readonly scope: KeyScope;
}

/**
 * One row of the table of routes; a public one asks for nothing, one by `key` for a key of the installation that is nobody's account,
 * one by `either` for a credential or, where none came, for a session.
 */
export type RouteRow = Place &
  ({ readonly by: "none" } | { readonly by: "key" } | ({ readonly by: "bearer" | "either" | "session" } & Rule));

/** Somebody who signed in with a browser. */
export interface SignedIn extends Identity {
  /** Comes with whatever changes something; another site cannot know it. */
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Somebody who is known; `session` is `null` where they came with a credential. */
export interface Caller extends Identity {
  readonly session: Pick<SignedIn, "token" | "expiresAt"> | null;
}

/** The sessions by which a server's API is open besides. */
export interface SessionDoor {
  /** The session behind a request's cookie; nothing where there is none or it has ended. */
  readonly find: (context: Context) => Promise<SignedIn | undefined>;
  /** Whether this is the session's token. */
  readonly isToken: (session: SignedIn, given: string) => boolean;
}

/** Answers a request of somebody who is known and whose key is for this. */
export type Handler<Caller> = (context: Context, caller: Caller) => Response | Promise<Response>;

/** The routes of one server. There is no way to add one without saying who may; `rows` is the table of all. */
export interface Routes {
  readonly fetch: Hono["fetch"];
  readonly rows: readonly RouteRow[];
  /** Adds a route that is open to everybody. */
  readonly open: (place: Place, handler: (context: Context) => Response | Promise<Response>) => void;
  /** Adds a route for whoever brings, in `Authorization`, the one key that `isKey` knows; throws `unauthenticated` for everybody else. */
  readonly keyed: (
    place: Place,
    isKey: (credential: string) => boolean,
    handler: (context: Context) => Promise<Response>,
  ) => void;
  /**
   * Adds a route for whoever brings a credential in `Authorization`; where the server has sessions, a route of the API is open to whoever
   * has signed in besides.
   */
  readonly bearer: (place: Place & Rule, handler: Handler<Caller>) => void;
  /** Adds a route for whoever has signed in. `find` gives the session, or what is answered where there is none. */
  readonly session: <Session extends Identity>(
    place: Place & Rule,
    find: (context: Context) => Promise<Session | Response>,
    handler: Handler<Session>,
  ) => void;
  /** How errors are answered; every route that is no route is one. */
  readonly onFault: (answer: (context: Context, thrown: unknown) => Response | Promise<Response>) => void;
  /** What is done when the server stops, before it waits for requests under way: streams that would never end are ended. */
  readonly onStop: (stop: () => void) => void;
  readonly stop: () => void;
  /** What the router itself answers, for the test that compares it with `rows`. */
  readonly routed: () => readonly { readonly method: string; readonly path: string }[];
}

/** The routes that every server of ours begins with: health, problem details for errors and for unknown routes, safe headers. */
export function createRoutes({
  log,
  identify,
  rates,
  sessions,
  mostAtOnce = usualMostAtOnce,
}: {
  log: FaultLog;
  identify: Identify;
  rates?: Rates;
  sessions?: SessionDoor;
  /** Requests in work at once; one more is refused with `too_busy`, and nothing of it is begun. */
  mostAtOnce?: number;
}): Routes {
  const app = new Hono();
  addFrame(app);
  const rows: RouteRow[] = [];
  const stops: (() => void)[] = [];
  const bounded = createBound(mostAtOnce);
  const put = (row: RouteRow, handler: (context: Context) => Response | Promise<Response>): void => {
    rows.push(Object.freeze(row));
    // Whether the process lives is answered however much it has to do.
    app.on(row.method, row.path, row.path === "/healthz" ? handler : bounded(handler));
  };
  const routes: Routes = {
    fetch: app.fetch,
    rows,
    open: (place, handler) => put({ ...place, by: "none" }, handler),
    keyed: (place, isKey, handler) =>
      put({ ...place, by: "key" }, async (context) => {
        const credential = credentialOf(context);
        if (credential === undefined || !isKey(credential)) throw unauthenticated();
        return handler(context);
      }),
    bearer: ({ method, path, who, scope }, handler) => {
      const door = path.startsWith("/v1/") ? sessions : undefined;
      const byCredential = async (context: Context): Promise<Caller> => {
        const known = (credential: string) => identifyAtRate({ context, identify, rates, credential });
        return { ...(await authenticate(context, known)), session: null };
      };
      put({ method, path, by: door === undefined ? "bearer" : "either", who, scope }, async (context) => {
        const caller = (door === undefined ? undefined : await signedIn(context, door)) ?? (await byCredential(context));
        rates?.countAccount(context, caller);
        checkScope(caller, scope);
        return handler(context, caller);
      });
    },
    session: ({ method, path, who, scope }, find, handler) =>
      put({ method, path, by: "session", who, scope }, async (context) => {
        const found = await find(context);
        if (found instanceof Response) return found;
        rates?.countAccount(context, found);
        checkScope(found, scope);
        return handler(context, found);
      }),
    onFault: (answer) => {
      app.notFound((context) => answer(context, noRoute(context)));
      app.onError((thrown, context) => answer(context, thrown));
    },
    onStop: (one) => stops.push(one),
    stop: () => {
      for (const one of stops) one();
    },
    routed: () => app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => ({ method, path })),
  };
  routes.open({ method: "GET", path: "/healthz" }, (context) => context.json({ status: "ok" }));
  routes.onFault((context, thrown) => problemResponse({ context, thrown, log }));
  return routes;
}

/**
 * Whoever has signed in, where no `Authorization` came: a bad one is never made up for by a cookie. What changes something needs the
 * session's token besides, which a page of another site cannot read and no cookie carries. Throws `forbidden`, `wrong_tenant`.
 */
async function signedIn(context: Context, { find, isToken }: SessionDoor): Promise<Caller | undefined> {
  if (context.req.header("authorization") !== undefined) return undefined;
  const found = await find(context);
  if (found === undefined) return undefined;
  checkTenantNamed(context, found);
  const isRead = context.req.method === "GET" || context.req.method === "HEAD";
  if (!isRead && !isToken(found, context.req.header("countersign-token") ?? ""))
    throw new CountersignError(
      "forbidden",
      "the session's token did not come with the request; send it in `countersign-token`, as `GET /v1/session` tells it",
    );
  return { ...found, session: { token: found.token, expiresAt: found.expiresAt } };
}

/**
 * Looks a credential up. Being wrong about who one is is counted by address, and refused as too often where it is; a good credential is
 * never held up by what others behind the same address got wrong.
 */
export async function identifyAtRate({
  context,
  identify,
  rates,
  credential,
}: {
  context: Context;
  identify: Identify;
  rates: Rates | undefined;
  credential: string;
}): Promise<Identity | undefined> {
  const identity = await identify(credential);
  if (identity === undefined) rates?.countAddress(context);
  return identity;
}

/** The id that a path names. */
export function idOf(context: Context): string {
  return context.req.param("id") ?? "";
}

/** What stands before every route: safe headers, and a plain answer to a method that a route does not take. */
function addFrame(app: Hono): void {
  app.use(async (context, next) => {
    await next();
    addSecureHeaders(context);
  });
  app.use(async (context, next) => {
    const allowed = methodsOf(app, context.req.path);
    if (allowed.length > 0 && !allowed.includes(context.req.method)) {
      context.header("allow", allowed.join(", "));
      throw new CountersignError(
        "method_not_allowed",
        `this route takes ${allowed.join(" and ")}, not \`${context.req.method.slice(0, 20)}\``,
      );
    }
    await next();
  });
}

function noRoute(context: Context): CountersignError {
  return new CountersignError("not_found", `there is no route \`${context.req.method} ${context.req.path.slice(0, 80)}\``);
}

/** The methods under which a path has a route; empty where it has none. */
function methodsOf(app: Hono, path: string): readonly string[] {
  const has = (method: string) => app.router.match(method, path)[0].some(([[, route]]) => route.method === method);
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(has);
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}
