import { z } from "zod";
import { endOfTime, firstInstant } from "../contract/instant.ts";
import { entryKinds, type OperationState, operationStates, writerRoles } from "../contract/words.ts";

const name = z.string().min(1).max(200);
const moment = z.coerce.number().pipe(
  z
    .int()
    .min(firstInstant)
    .max(endOfTime - 1),
);

/** What `/v1/operations` is asked for beside the page. */
export const operationsQuery = z.strictObject({
  state: z
    .string()
    .refine((text) => text.split(",").every(isState), `one or more of ${operationStates.join(", ")}, with commas between`)
    .exactOptional(),
  effect: name.exactOptional(),
  capability: name.exactOptional(),
});

/** The states that a query names; none is every state. */
export function statesIn(text: string | undefined): readonly OperationState[] {
  return [...new Set((text ?? "").split(",").filter(isState))];
}

function isState(word: string): word is OperationState {
  return operationStates.some((state) => state === word);
}

/** What `/v1/ledger/entries` is asked for beside the page; times are those of sealing, in milliseconds since the epoch. */
export const ledgerQuery = z.strictObject({
  kind: z.enum(entryKinds).exactOptional(),
  decision: z.uuid().exactOptional(),
  writer: z.enum([...writerRoles, "owner"]).exactOptional(),
  from: moment.exactOptional(),
  before: moment.exactOptional(),
  sealed: z.enum(["true", "false"]).default("true").describe("`false`: what waits for its seal instead, with no other question"),
});

/** Which entry is to be proved. */
export const proofQuery = z.strictObject({ entry: z.uuid() });

/** What `/v1/evals` is asked for beside the page. */
export const evalsQuery = z.strictObject({ capability: name.exactOptional() });

/** Over how many days reviewing is looked at. */
export const healthQuery = z.strictObject({ days: z.coerce.number().pipe(z.int().min(1).max(92)).default(28) });

/** What `/v1/routing` is asked for: days in UTC. */
export const routingQuery = z.strictObject({
  from: z.iso.date().exactOptional(),
  before: z.iso.date().exactOptional(),
  capability: name.exactOptional(),
});

/** A question to the policies; what a principal, an action and a resource are is checked by the policies themselves. */
export const explainBody = z.strictObject({
  principal: z.strictObject({
    tenant: name.exactOptional(),
    id: name,
    roles: z.array(name).max(100),
    onBehalfOf: name.nullable().exactOptional(),
    attributes: z.record(name, z.union([z.string().max(2_000), z.number(), z.boolean()])).exactOptional(),
  }),
  action: name,
  resource: z
    .record(name, z.union([z.string().max(2_000), z.int(), z.boolean(), z.array(z.string().max(2_000)).max(1_000)]))
    .exactOptional(),
  listed: z.boolean().exactOptional(),
});
