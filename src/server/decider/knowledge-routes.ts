import type { Decider } from "../../decider.ts";
import { readBody } from "../body.ts";
import { factsBody, redundancyBody, searchBody } from "../requests.ts";
import type { Routes } from "../routes.ts";

const looks = { method: "POST", who: "account", scope: "read" } as const;

/** Adds looking up passages and facts; permission and time are part of each query. */
export function addKnowledge(routes: Routes, decider: Pick<Decider, "search" | "facts" | "redundancy">): void {
  routes.bearer({ ...looks, path: "/v1/knowledge" }, async (context, { principal }) =>
    context.json(await decider.search({ principal, ...(await readBody(context, searchBody)) })),
  );
  routes.bearer({ ...looks, path: "/v1/facts" }, async (context, { principal }) =>
    context.json({ items: await decider.facts({ principal, ...(await readBody(context, factsBody)) }) }),
  );
  routes.bearer({ ...looks, path: "/v1/redundancy" }, async (context) =>
    context.json(decider.redundancy((await readBody(context, redundancyBody)).texts)),
  );
}
