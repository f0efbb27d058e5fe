/** What only the acting process loads: how the effects are applied, and how somebody else sees that they were. */
import { recordSource } from "countersign";
import { defineHands, implementEffect, through } from "countersign/act";
import { type Helpdesk, observer, writer } from "./connectors.ts";
import { createTicket, orderRef, orderReplacement, orderSnapshot, ticketRef, ticketSnapshot } from "./effects.ts";
import { readOrder, readTicket, records } from "./records.ts";
import { insertOrder, insertTicket } from "./write-helpdesk.ts";

export default defineHands({
  records: [recordSource(observer, records)],
  hands: [
    implementEffect(createTicket, {
      apply: through(writer, async (client: Helpdesk, params, { tenant, idempotencyKey, signal }) => ({
        targetId: await insertTicket(client, { tenant, params, ref: ticketRef(params), idempotencyKey, signal }),
      })),
      observe: through(observer, async (client: Helpdesk, params, { tenant }) =>
        ticketSnapshot(await readTicket(client, { tenant, ref: ticketRef(params) })),
      ),
    }),
    implementEffect(orderReplacement, {
      apply: through(writer, async (client: Helpdesk, params, { tenant, idempotencyKey, signal }) => ({
        targetId: await insertOrder(client, { tenant, params, ref: orderRef(params), idempotencyKey, signal }),
      })),
      observe: through(observer, async (client: Helpdesk, params, { tenant }) =>
        orderSnapshot(await readOrder(client, { tenant, device: params.device, ref: orderRef(params) })),
      ),
    }),
  ],
});
