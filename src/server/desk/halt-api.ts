import type { Context, Hono } from "hono";
import type { Principal } from "../../contract/principal.ts";
import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { haltBody } from "../requests.ts";

/** Adds emergency stops: what is stopped, and stopping or lifting, which answers with what is stopped then. */
export function addHaltApi(
  app: Hono,
  { desk, asker }: { desk: Desk; asker: (context: Context) => { readonly principal: Principal } },
): void {
  app.get("/v1/halts", async (context) => {
    const { principal } = asker(context);
    return context.json({ items: await desk.halts({ principal }) });
  });
  app.post("/v1/halts", async (context) => {
    const { principal } = asker(context);
    const { scope, name = null, stop, reason } = await readBody(context, haltBody);
    return context.json({ items: await desk.setHalt({ principal, scope, name, isStopped: stop, reason }) });
  });
}
