import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { pageAt, pageOf } from "../paging.ts";
import { approveBody, editBody, emptyBody, questionOf, rejectBody, resolveBody, reviewsQuery } from "../requests.ts";
import { idOf, type Routes } from "../routes.ts";
import { type Forward, passBack } from "./forward.ts";

const reads = { method: "GET", who: "account", scope: "read" } as const;
const reviews = { method: "POST", who: "approver", scope: "review" } as const;
const signs = { method: "POST", who: "approver", scope: "sign" } as const;

/** Adds what people do with a decision that waits, that they signed or that was left to them: each answers with the decision as it stands then. */
export function addReviewApi(routes: Routes, { desk, forward }: { desk: Desk; forward: Forward }): void {
  routes.bearer({ ...reads, path: "/v1/reviews" }, async (context, { principal }) =>
    context.json(pageOf(await desk.reviews({ principal, ...pageAt(context), ...questionOf(context, reviewsQuery) }))),
  );
  routes.bearer({ ...reads, path: "/v1/reviews/count" }, async (context, { principal }) =>
    context.json(await desk.countReviews({ principal })),
  );
  routes.bearer({ ...reads, path: "/v1/reviews/:id/evidence" }, async (context, { principal }) =>
    context.json(await desk.evidence({ principal, decisionId: idOf(context) })),
  );
  routes.bearer({ ...signs, path: "/v1/reviews/:id/approve" }, async (context, { principal }) => {
    const answer = await readBody(context, approveBody);
    const { decisionId } = await desk.approve({ principal, decisionId: idOf(context), ...answer });
    return context.json(await desk.decision({ principal, decisionId }));
  });
  routes.bearer({ ...reviews, path: "/v1/reviews/:id/reject" }, async (context, { principal }) => {
    const answer = await readBody(context, rejectBody);
    const { decisionId } = await desk.reject({ principal, decisionId: idOf(context), ...answer });
    return context.json(await desk.decision({ principal, decisionId }));
  });
  routes.bearer({ ...signs, path: "/v1/reviews/:id/withdraw", who: "signer" }, async (context, { principal }) => {
    await readBody(context, emptyBody);
    const { decisionId } = await desk.withdraw({ principal, decisionId: idOf(context) });
    return context.json(await desk.decision({ principal, decisionId }));
  });
  routes.bearer({ ...reviews, path: "/v1/reviews/:id/edit" }, async (context, identity) => {
    const { principal } = identity;
    const { viewedMs, ...body } = await readBody(context, editBody);
    const decisionId = idOf(context);
    // Nobody else answers it while the decider is at it. Where the edit is not accepted, it stays with whoever edits.
    await desk.take({ principal, decisionId });
    const { signal } = context.req.raw;
    const answer = await forward({
      method: "POST",
      path: `/v1/decisions/${decisionId}/edit`,
      identity,
      body,
      begins: true,
      signal,
    });
    if (answer.status >= 300) return passBack(context, answer);
    const successor = madeId(answer.text);
    await desk.supersede({ principal, decisionId, successor, viewedMs });
    return context.json(await desk.decision({ principal, decisionId: successor }), 201);
  });
  routes.bearer({ ...signs, path: "/v1/decisions/:id/resolve" }, async (context, { principal }) => {
    const finding = await readBody(context, resolveBody);
    const { decisionId } = await desk.resolve({ principal, decisionId: idOf(context), ...finding });
    return context.json(await desk.decision({ principal, decisionId }));
  });
  for (const verb of ["take", "release"] as const) {
    // Letting go touches nothing but what the caller has taken up themselves.
    const who = verb === "take" ? "approver" : "account";
    routes.bearer({ ...reviews, path: `/v1/reviews/:id/${verb}`, who }, async (context, { principal }) => {
      await readBody(context, emptyBody);
      const decisionId = idOf(context);
      await desk[verb]({ principal, decisionId });
      return context.json(await desk.decision({ principal, decisionId }));
    });
  }
}

/** The id of the decision that the decider answered with. Throws `service_unavailable` where there is none. */
function madeId(text: string): string {
  const fit = z.looseObject({ id: z.string() }).safeParse(JSON.parse(text));
  if (fit.success) return fit.data.id;
  const message = "the decider gave an answer that is not understood; see that the versions agree";
  throw new CountersignError("service_unavailable", message);
}
