import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { Desk } from "../../desk.ts";
import { ledgerQuery, proofQuery } from "../board-requests.ts";
import { pageOf, pagingOf } from "../paging.ts";
import { questionOf } from "../requests.ts";
import { idOf, type Routes } from "../routes.ts";

const reads = { method: "GET", who: "overseer", scope: "read" } as const;
const placeKey = z.tuple([z.int().min(1)]);

/** Adds the ledger: whether it holds, its entries, its newest checkpoint, and proofs that an entry stands in it. */
export function addLedgerApi(routes: Routes, { desk }: { desk: Desk }): void {
  routes.bearer({ ...reads, path: "/v1/ledger" }, async (context, { principal }) =>
    context.json(await desk.ledger({ principal })),
  );
  routes.bearer({ ...reads, path: "/v1/ledger/entries" }, async (context, { principal }) => {
    const { sealed, ...asked } = questionOf(context, ledgerQuery);
    const { limit, after } = pagingOf(context, placeKey);
    if (sealed === "true")
      return context.json(pageOf(await desk.ledgerEntries({ principal, limit, after: after?.[0] ?? null, ...asked })));
    if (Object.keys(asked).length > 0)
      throw new CountersignError("bad_request", "what waits for its seal is listed whole: leave every other question out");
    return context.json({ items: await desk.unsealedEntries({ principal }), next: null });
  });
  routes.bearer({ ...reads, path: "/v1/ledger/entries/:id" }, async (context, { principal }) =>
    context.json(await desk.ledgerEntry({ principal, id: idOf(context) })),
  );
  routes.bearer({ ...reads, path: "/v1/ledger/checkpoint" }, async (context, { principal }) =>
    context.json(await desk.checkpoint({ principal })),
  );
  routes.bearer({ ...reads, path: "/v1/ledger/proof" }, async (context, { principal }) => {
    const proof = await desk.proof({ principal, ...questionOf(context, proofQuery) });
    // One line with its end, as verifiers take it: the answer is saved as it is.
    return context.body(`${JSON.stringify(proof)}\n`, 200, { "content-type": "application/json" });
  });
}
