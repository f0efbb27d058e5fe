import type { z } from "zod";
import { readBody } from "../body.ts";
import { factsBody, redundancyBody, searchBody } from "../requests.ts";
import type { Routes } from "../routes.ts";
import { type Forward, passBack } from "./forward.ts";

const looks = { method: "POST", who: "account", scope: "read" } as const;
const looked: readonly { readonly path: string; readonly schema: z.ZodType }[] = [
  { path: "/v1/knowledge", schema: searchBody },
  { path: "/v1/facts", schema: factsBody },
  { path: "/v1/redundancy", schema: redundancyBody },
];

/** Adds looking up passages and facts, which the decider does in the caller's name: the desk reads no knowledge. */
export function addKnowledgeApi(routes: Routes, { forward }: { forward: Forward }): void {
  for (const { path, schema } of looked)
    routes.bearer({ ...looks, path }, async (context, identity) => {
      const body = await readBody(context, schema);
      return passBack(context, await forward({ method: "POST", path, identity, body, signal: context.req.raw.signal }));
    });
}
