import { type Decided, defineCapability, type RecordRow, rowsOf } from "countersign";
import { z } from "zod";
import { type Request, request } from "./request.ts";

/** The ticket that was found, by its number; `null` for none. */
const decision = z.strictObject({ ticket: z.string().nullable() });
type Found = z.infer<typeof decision>;

/** Tells the state of a ticket from the help desk's record. A rule decides, and no model is asked. */
export const ticketState = defineCapability<Request, Found>({
  name: "ticket_state",
  version: "1",
  owner: "service-desk",
  description: "Tell the state of one of the requester's own tickets.",
  refuses: "No ticket of the requester has the number, or the requester has none at all.",
  examples: [
    { inputs: { text: "How far is tkt-7?" }, given: "ticket tkt-7 of the requester", decision: { ticket: "tkt-7" } },
    {
      inputs: { text: "Any news on my ticket?" },
      given: "tickets tkt-8 and tkt-7, the latest first",
      decision: { ticket: "tkt-8" },
    },
    { inputs: { text: "status of TKT-9 pls" }, given: "no ticket: tkt-9 belongs to somebody else", decision: { ticket: null } },
    { inputs: { text: "Is my ticket done?" }, given: "no tickets", decision: { ticket: null } },
  ],
  openTo: ["employee"],
  keepsInputs: true,
  input: request,
  decision,
  needs: ({ inputs, envelope }) => {
    const id = ticketNamed(inputs.text);
    const maxAgeMs = 30_000;
    return id === null
      ? [{ kind: "records", name: "ticket", query: "tickets.ofPerson", params: { person: envelope.principal.id }, maxAgeMs }]
      : [{ kind: "records", name: "ticket", query: "tickets.byId", params: { id }, maxAgeMs }];
  },
  // The query returns the latest ticket first.
  deciding: { kind: "rule", version: "1", rule: ({ context }) => ({ ticket: rowsOf(context, "ticket")[0]?.row["id"] ?? null }) },
  checks: [{ name: "ticket_seen", run: checkSeen }],
  label: (found) => (found.ticket === null ? "no_ticket" : "found"),
  propose: (decided) => {
    const row = rowOf(decided);
    if (row === null) return { summary: "No such ticket", refusal: "No ticket of yours was found." };
    return { summary: "The state of a ticket", claims: claimsOf(row) };
  },
});

/** The number of the ticket that a text names, in the form of the help desk, or `null`. The first one counts. */
export function ticketNamed(text: string): string | null {
  return /\btkt-\d{1,9}\b/i.exec(text)?.[0].toLowerCase() ?? null;
}

function rowOf({ decision: { ticket }, context }: Decided<Request, Found>): RecordRow | null {
  return rowsOf(context, "ticket").find((one) => one.row["id"] === ticket) ?? null;
}

function checkSeen(decided: Decided<Request, Found>) {
  const isSeen = decided.decision.ticket === null || rowOf(decided) !== null;
  return { passed: isSeen, evidence: isSeen ? "the ticket is among the rows that were read" : "the ticket was not read" };
}

/** Values are bound, not written: code renders them from the record. */
function claimsOf({ id, row }: RecordRow): { text: string; source: string }[] {
  const claims = ["Ticket {{ticket.id}} is {{ticket.status}} since {{ticket.updated_on}}."];
  if (row["device_model"] !== null) claims.push("It concerns the {{ticket.device_model}} ({{ticket.device}}).");
  if (row["order_status"] !== null) claims.push("Its replacement, a {{ticket.ordered_model}}, is {{ticket.order_status}}.");
  return claims.map((text) => ({ text, source: id }));
}
