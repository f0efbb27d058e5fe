import { Hono } from "hono";
import { CountersignError } from "../contract/errors.ts";
import { type FaultLog, problemResponse } from "./problem.ts";

/** A Hono app with what every server of ours has: health, problem details for errors and for unknown routes, safe headers. */
export function createRoutes({ log }: { log: FaultLog }): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("x-content-type-options", "nosniff");
    // A page that posts forms says `same-origin` itself: under `no-referrer` a browser sends `Origin: null` with them.
    if (!context.res.headers.has("referrer-policy")) context.header("referrer-policy", "no-referrer");
    context.header("x-frame-options", "DENY");
    if (!context.res.headers.has("cache-control")) context.header("cache-control", "no-store");
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
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.notFound((context) =>
    problemResponse({
      context,
      thrown: new CountersignError("not_found", `there is no route \`${context.req.method} ${context.req.path.slice(0, 80)}\``),
      log,
    }),
  );
  app.onError((thrown, context) => problemResponse({ context, thrown, log }));
  return app;
}

/** The methods under which a path has a route; empty where it has none. */
function methodsOf(app: Hono, path: string): readonly string[] {
  const has = (method: string) => app.router.match(method, path)[0].some(([[, route]]) => route.method === method);
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(has);
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}
