/** What only the acting process loads: how refunds are issued and called back, and how somebody else sees that they were. */
import { recordSource } from "countersign";
import { defineHands, implementEffect, through } from "countersign/act";
import { observer, type Shop, writer } from "./connectors.ts";
import { type LineVersion, refundLine, refundRef, refundSnapshot, reverseRefund } from "./effects.ts";
import { readRefund, records } from "./records.ts";
import { issueRefund, reverse } from "./write-refunds.ts";

/** One look for both effects: it joins the refund, the books and what the customer is shown. */
const observe = through(observer, async (client: Shop, params: LineVersion, { tenant }: { tenant: string }) =>
  refundSnapshot(await readRefund(client, { tenant, order: params.order, line: params.line, ref: refundRef(params) })),
);

export default defineHands({
  records: [recordSource(observer, records)],
  hands: [
    implementEffect(refundLine, {
      apply: through(writer, async (client: Shop, params, { tenant, idempotencyKey, signal }) => ({
        targetId: await issueRefund(client, { tenant, params, idempotencyKey, signal }),
      })),
      observe,
    }),
    implementEffect(reverseRefund, {
      apply: through(writer, async (client: Shop, params, { tenant, idempotencyKey, signal }) => ({
        targetId: await reverse(client, { tenant, params, idempotencyKey, signal }),
      })),
      observe,
    }),
  ],
});
