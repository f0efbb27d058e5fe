// capability.ts
import { defineCapability } from "../../../src/define/capability.ts";
import { z } from "zod"; import { rowsOf } from "countersign";
export const told: [unknown, unknown][] = [];
defineCapability({
  name: "close_ticket", version: "1", owner: "service-desk", description: "Close a ticket that is solved.",
  openTo: ["employee"], input: z.strictObject({ ticket: z.string() }), decision: z.strictObject({ close: z.boolean() }),
  needs: ({ inputs }) => [{ kind: "records", name: "ticket", query: "tickets.byId", params: { id: inputs.ticket }, maxAgeMs: 30_000 }],
  deciding: { kind: "rule", version: "1", rule: ({ context }) => ({ close: rowsOf(context, "ticket")[0]?.row["solved"] === true }) },
  checks: [], propose: ({ decision }) => ({ summary: decision.close ? "The ticket can be closed" : "The ticket stays open" }),
});

export type Shown = typeof defineCapability;
