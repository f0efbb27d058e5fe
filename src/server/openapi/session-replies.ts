import { z } from "zod";
import { changeTopics } from "../../contract/changes.ts";
import { keyScopes } from "../../contract/identity.ts";
import type { SessionView } from "../../contract/session.ts";
import { components } from "./components.ts";
import { ms } from "./decision-replies.ts";

const open = ["ask", "review", "halts", "stop", "spend", "autonomy", "openSlices", "operations", "ledger", "evals"] as const;
const may = z.strictObject({
  ...(Object.fromEntries(open.map((name) => [name, z.boolean()])) as Record<(typeof open)[number], z.ZodBoolean>), // one for each name
  ...{ models: z.boolean(), policies: z.boolean(), audit: z.boolean() },
});

/** The data of one event. */
export const changeReply = z.strictObject({ topics: z.array(z.enum(changeTopics)).describe("The lists to read again") });

/** Who the caller is, and what is open to them. */
export const sessionReply = z
  .strictObject({
    ...{ tenant: z.string(), id: z.string(), name: z.string(), roles: z.array(z.string()) },
    scopes: z.array(z.enum(keyScopes)),
    token: z.string().nullable().describe("Goes in `countersign-token` with whatever changes something; null for a credential"),
    expiresAt: ms.nullable(),
    environment: z.string(),
    ...{ isDemo: z.boolean(), isScripted: z.boolean(), version: z.string() },
    stopped: z.enum(["everything", "some"]).nullable().describe("Whether something is stopped just now"),
    people: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    may,
  })
  .register(components, {
    id: "Session",
    description: "Who the caller is, and what of the console is open to them",
  }) satisfies z.ZodType<SessionView>;
