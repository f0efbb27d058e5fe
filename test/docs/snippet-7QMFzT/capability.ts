import { defineCapability, rowsOf } from "countersign";
import { z } from "zod";

export const ticketState = defineCapability({
  name: "ticket_state",
  version: "1",
  owner: "service-desk",
  description: "Tells how far a ticket has got.",
  openTo: ["employee"],
  input: z.strictObject({ ticket: z.string().max(20) }),
  decision: z.strictObject({ known: z.boolean() }),
  // What this decision needs, and nothing else. The query runs under the reading credential, scoped to who asks.
  needs: ({ inputs }) => [{ kind: "records", name: "ticket", query: "tickets.byId", params: { id: inputs.ticket }, maxAgeMs: 30_000 }],
  // A rule decides here; a prompt with a model stands in the same place.
  deciding: { kind: "rule", version: "1", rule: ({ context }) => ({ known: rowsOf(context, "ticket").length === 1 }) },
  checks: [{ name: "one_ticket", run: ({ context }) => ({ passed: rowsOf(context, "ticket").length <= 1, evidence: "rows read" }) }],
  // A claim names its source; code renders the values from the record, never the model.
  propose: ({ context }) => ({
    summary: "The state of the ticket",
    claims: rowsOf(context, "ticket").map((row) => ({ text: "Ticket {{ticket.id}} is {{ticket.status}}.", source: row.id })),
  }),
});
