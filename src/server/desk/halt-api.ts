import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { haltBody } from "../requests.ts";
import type { Routes } from "../routes.ts";

/** Adds emergency stops: what is stopped, and stopping or lifting, which answers with what is stopped then. */
export function addHaltApi(routes: Routes, { desk }: { desk: Desk }): void {
  routes.bearer({ method: "GET", path: "/v1/halts", who: "overseer", scope: "read" }, async (context, { principal }) =>
    context.json({ items: await desk.halts({ principal }) }),
  );
  routes.bearer({ method: "POST", path: "/v1/halts", who: "owner", scope: "admin" }, async (context, { principal }) => {
    const { scope, name = null, stop, reason } = await readBody(context, haltBody);
    return context.json({ items: await desk.setHalt({ principal, scope, name, isStopped: stop, reason }) });
  });
}
