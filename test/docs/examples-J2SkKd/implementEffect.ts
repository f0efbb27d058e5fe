// implement.ts
import { implementEffect } from "../../../src/act/implement.ts";
import { through } from "countersign/act"; import { defineConnector, defineEffect } from "countersign"; import { z } from "zod";
declare const closeTicket: ReturnType<typeof makeEffect>;
function makeEffect() { return defineEffect({} as Parameters<typeof defineEffect<{ ticket: string }>>[0]); }
const open = { secret: "X", open: async () => "pool", close: async () => {} };
const writer = defineConnector({ name: "w", side: "writes", ...open });
const observer = defineConnector({ name: "o", side: "observes", ...open });
declare function close(pool: string, params: { ticket: string }, key: string): Promise<string>;
declare function readTicket(pool: string, ticket: string): Promise<{ id: string } | null>;
export type Unused = typeof z;
export const told: [unknown, unknown][] = [];
implementEffect(closeTicket, {
  apply: through(writer, async (pool, params, { idempotencyKey }) => ({ targetId: await close(pool, params, idempotencyKey) })),
  observe: through(observer, async (pool, params) => readTicket(pool, params.ticket)),
});

export type Shown = typeof implementEffect;
