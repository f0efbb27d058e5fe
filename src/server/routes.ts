import { type Context, Hono } from "hono";
import { CountersignError } from "../contract/errors.ts";
import type { Identify, Identity, KeyScope } from "../contract/identity.ts";
import { authenticate, checkScope, credentialOf, unauthenticated } from "./authenticate.ts";
import { type FaultLog, problemResponse } from "./problem.ts";
import type { Rates } from "./rates.ts";
import { addSecureHeaders } from "./secure-headers.ts";

/**
 * Whom a route lets through under the default policy: `account` is everybody of the tenant, who finds what policy shows them, `signer`
 * whoever signed the thing at hand, `overseer` whoever approves, audits or owns.
 */
export type Audience = "account" | "approver" | "signer" | "owner" | "overseer";

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

/** One row of the table of routes; a public one asks for nothing, one by `key` for a key of the installation that is nobody's account. */
export type RouteRow = Place &
  ({ readonly by: "none" } | { readonly by: "key" } | ({ readonly by: "bearer" | "session" } & Rule));

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
  /** Adds a route for whoever brings a credential in `Authorization`. */
  readonly bearer: (place: Place & Rule, handler: Handler<Identity>) => void;
  /** Adds a route for whoever has signed in. `find` gives the session, or what is answered where there is none. */
  readonly session: <Session extends Identity>(
    place: Place & Rule,
    find: (context: Context) => Promise<Session | Response>,
    handler: Handler<Session>,
  ) => void;
  /** How errors are answered; every route that is no route is one. */
  readonly onFault: (answer: (context: Context, thrown: unknown) => Response | Promise<Response>) => void;
  /** What the router itself answers, for the test that compares it with `rows`. */
  readonly routed: () => readonly { readonly method: string; readonly path: string }[];
}

/** The routes that every server of ours begins with: health, problem details for errors and for unknown routes, safe headers. */
export function createRoutes({ log, identify, rates }: { log: FaultLog; identify: Identify; rates?: Rates }): Routes {
  const app = new Hono();
  addFrame(app);
  const rows: RouteRow[] = [];
  const put = (row: RouteRow, handler: (context: Context) => Response | Promise<Response>): void => {
    rows.push(Object.freeze(row));
    app.on(row.method, row.path, handler);
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
    bearer: ({ method, path, who, scope }, handler) =>
      put({ method, path, by: "bearer", who, scope }, async (context) => {
        const identity = await authenticate(context, (credential) => identifyAtRate({ context, identify, rates, credential }));
        rates?.countAccount(context, identity);
        checkScope(identity, scope);
        return handler(context, identity);
      }),
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
    routed: () => app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => ({ method, path })),
  };
  routes.open({ method: "GET", path: "/healthz" }, (context) => context.json({ status: "ok" }));
  routes.onFault((context, thrown) => problemResponse({ context, thrown, log }));
  return routes;
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
