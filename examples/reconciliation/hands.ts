/** What only the acting process loads: how matches and adjustments are posted, and how somebody else sees that they were. */
import { type JsonObject, recordSource } from "countersign";
import { defineHands, implementEffect, through } from "countersign/act";
import { type Books, observer, writer } from "./connectors.ts";
import { postAdjustment, postingSnapshot, postMatch } from "./effects.ts";
import { books, postingRows } from "./records.ts";
import { insertAdjustment, insertMatch } from "./write-books.ts";

const observe = through(observer, async (client: Books, params: JsonObject, { tenant }: { tenant: string }) =>
  postingSnapshot(await postingRows(client, { tenant, params })),
);

export default defineHands({
  records: [recordSource(observer, books)],
  hands: [
    implementEffect(postMatch, {
      apply: through(writer, async (client: Books, params, { tenant, idempotencyKey, signal }) => ({
        targetId: await insertMatch(client, { tenant, params, idempotencyKey, signal }),
      })),
      observe,
    }),
    implementEffect(postAdjustment, {
      apply: through(writer, async (client: Books, params, { tenant, idempotencyKey, signal }) => ({
        targetId: await insertAdjustment(client, { tenant, params, idempotencyKey, signal }),
      })),
      observe,
    }),
  ],
});
