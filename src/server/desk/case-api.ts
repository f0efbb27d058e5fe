import type { Context, Hono } from "hono";
import { z } from "zod";
import { limits } from "../../contract/limits.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { idempotencyKeyOf } from "../requests.ts";

const startBody = z.strictObject({
  case: z.string().min(1).max(limits.idLength),
  key: z.string().min(1).optional(),
  input: z.json(),
});
const eventBody = z.strictObject({ event: z.string().min(1).max(limits.idLength), body: z.json().default({}) });

/** Adds cases: starting one, telling it what happened, and looking how far it is. Each answers with the case as it stands then. */
export function addCaseApi(
  app: Hono,
  { desk, asker }: { desk: Desk; asker: (context: Context) => { readonly principal: Principal } },
): void {
  app.post("/v1/cases", async (context) => {
    const { principal } = asker(context);
    const { case: name, key = null, input } = await readBody(context, startBody);
    const { view, isNew } = await desk.cases.start({ principal, case: name, key, input });
    return context.json(view, isNew ? 201 : 200);
  });
  app.get("/v1/cases", async (context) => {
    const { principal } = asker(context);
    const { case: name = null, limit } = context.req.query();
    return context.json({ items: await desk.cases.list({ principal, case: name, limit: limitOf(limit) }) });
  });
  app.get("/v1/cases/:id", async (context) => {
    const { principal } = asker(context);
    return context.json(await desk.cases.one({ principal, id: context.req.param("id") }));
  });
  app.post("/v1/cases/:id/events", async (context) => {
    const { principal } = asker(context);
    const { event, body } = await readBody(context, eventBody);
    const key = idempotencyKeyOf(context.req.header("idempotency-key"));
    const { view, isNew } = await desk.cases.tell({ principal, id: context.req.param("id"), event, body, key });
    return context.json(view, isNew ? 201 : 200);
  });
}

const mostListed = 100;

function limitOf(asked: string | undefined): number {
  return asked !== undefined && /^[1-9][0-9]{0,3}$/.test(asked) ? Math.min(mostListed, Number(asked)) : 20;
}
