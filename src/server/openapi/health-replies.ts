import { z } from "zod";
import type { ReviewHealth } from "../../contract/review-health.ts";
import type { RoutingView } from "../../contract/routing-view.ts";
import type { SourceView } from "../../contract/source-view.ts";
import { routes } from "../../contract/words.ts";
import { components } from "./components.ts";
import { ms } from "./decision-replies.ts";

const count = z.int();
const long = z.int().describe("Milliseconds");
const spread = z
  .strictObject({ least: long, quarter: long, median: long, threeQuarters: long, most: long, of: count })
  .nullable();
const secondLooks = z.strictObject({ of: count, agreed: count });

/** How reviewing goes. */
export const reviewHealthReply = z
  .strictObject({
    ...{ from: ms, until: ms },
    own: z.array(
      z.strictObject({
        ...{ capability: z.string(), answered: count, approved: count, rejected: count, edited: count },
        ...{ viewed: spread, waited: spread, secondLooks },
        mayBeTooAlike: z
          .strictObject({
            ...{ of: count, approved: count, medianViewedMs: long },
            others: z.strictObject({ reviewers: count, answered: count, approved: count }).nullable(),
          })
          .nullable(),
      }),
    ),
    capabilities: z
      .array(
        z.strictObject({
          ...{ capability: z.string(), reviewers: count, answered: count, leastADay: count, mostADay: count, secondLooks },
        }),
      )
      .nullable(),
    loadToday: z.array(z.strictObject({ id: z.string(), name: z.string(), answered: count })).nullable(),
  })
  .register(components, {
    id: "ReviewHealth",
    description: "How the caller's own answers went, and for whom the load is open, capabilities and today's load by name",
  }) satisfies z.ZodType<ReviewHealth>;

/** One document source. */
export const sourceReply = z
  .strictObject({
    ...{ name: z.string(), collections: z.array(z.string()), state: z.enum(["new", "running", "complete", "failed"]) },
    ...{ files: count, documents: count, passages: count, faults: count, promiseMs: long, isBehind: z.boolean() },
    ...{ freshAsOf: ms.nullable(), lagMs: long.nullable(), lastStartedAt: ms.nullable(), lastCompleteAt: ms.nullable() },
    lastChangeAt: ms.nullable(),
    progress: z.strictObject({ done: count, total: count }).nullable(),
  })
  .register(components, {
    id: "DocumentSource",
    description: "A document source and how far its index is",
  }) satisfies z.ZodType<SourceView>;

const ppm = z.int().describe("Parts per million");

/** How decisions were routed. */
export const routingReply = z
  .strictObject({
    ...{ from: z.string(), before: z.string() },
    lines: z.array(
      z.strictObject({ day: z.string(), capability: z.string(), route: z.enum([...routes, "stopped"]), decisions: count }),
    ),
    ...{ isPart: z.boolean(), countedFrom: ms.nullable() },
    reliability: z.array(z.strictObject({ fromPpm: ppm, decisions: count, agreed: count, meanPpm: ppm })),
  })
  .register(components, {
    id: "Routing",
    description: "The routing mix by day and capability, and how far confidence told the truth",
  }) satisfies z.ZodType<RoutingView>;
