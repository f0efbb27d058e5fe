import { type Decided, defineCapability, passagesOf, type RecordRow, rowsOf } from "countersign";
import { z } from "zod";
import { daysBetween } from "./refund-rule.ts";
import { checkOrderNamed, orderNamed, type Request, request } from "./request.ts";

/** What was found: the order as the sources tell it, two sources that contradict each other, or no order. */
const decision = z.strictObject({
  order: z.string().nullable(),
  finding: z.enum(["on_time", "late", "delivered", "conflict", "none"]),
});
type Finding = z.infer<typeof decision>;
type Found = Decided<Request, Finding>;

/** Each kind of statement with the one kind of source that may stand behind it. */
const sourceKinds = { order: "orders.byId", scan: "scans.ofOrder", policy: "passage" } as const;
/** The section of the delivery terms that a finding rests on, by its title; a test compares them with the document. */
export const policySections: Readonly<Record<Exclude<Finding["finding"], "none">, string>> = {
  on_time: "How long delivery takes",
  late: "When a parcel is late",
  delivered: "When a parcel was delivered",
  conflict: "When records disagree",
};

/** Fixed: the words of the delivery terms, not those of who asks. */
const policyQuery = "delivery terms: how long delivery takes, parcel late, lost, delivered, records disagree";

/** Tells where an order is: what the order system says, what the carrier saw, what the delivery terms promise. A rule decides. */
export const orderStatus = defineCapability<Request, Finding>({
  name: "order_status",
  version: "1",
  owner: "customer-service",
  description: "Tell where an order is and what happens next.",
  refuses: "No order of that number is the requester's, or order system and carrier contradict each other.",
  examples: [
    example("Where is ord-9001?", "order ord-9001, promised in 2 days; last scan: in transit", "ord-9001", "on_time"),
    example("ord-9002 still not here!!", "order ord-9002, promised 4 days ago; last scan: in transit", "ord-9002", "late"),
    example("did ord-9003 arrive", "order ord-9003, delivered; last scan: delivered", "ord-9003", "delivered"),
    example("where's ord-9004", "order ord-9004, delivered; last scan: returned", "ord-9004", "conflict"),
    example("Status of ord-9005 please", "no order: ord-9005 is somebody else's", null, "none"),
  ],
  openTo: ["customer", "support"],
  keepsInputs: true,
  input: request,
  decision,
  preCheck: checkOrderNamed,
  needs: ({ inputs }) => {
    const params = { order: orderNamed(inputs.text) };
    return [
      { kind: "records", name: "order", query: sourceKinds.order, params, maxAgeMs: 30_000 },
      { kind: "records", name: "scan", query: sourceKinds.scan, params, maxAgeMs: 300_000 },
      { kind: "passages", name: "policy", query: policyQuery, limit: 10, minimumScore: 0 },
    ];
  },
  deciding: {
    kind: "rule",
    version: "1",
    rule: ({ context, envelope }) => {
      const order = rowsOf(context, "order")[0] ?? null;
      // The query returns the latest scan first.
      return { order: order?.row["id"] ?? null, finding: findingOf(order, rowsOf(context, "scan")[0] ?? null, envelope.at) };
    },
  },
  checks: [
    { name: "order_as_named", run: checkNamed },
    { name: "each_claim_its_kind", run: checkKinds },
  ],
  label: ({ finding }) => finding,
  propose: (decided) => {
    const { finding } = decided.decision;
    if (finding === "none") return { summary: "No such order", refusal: "No order of yours has that number." };
    const claims = claimsOf(decided).map(({ text, source }) => ({ text, source }));
    if (finding !== "conflict") return { summary: "Where the order is", claims };
    // Both stay, and customer service looks into it before anything is told.
    return {
      summary: "The order system and the carrier contradict each other",
      claims,
      inConflict: claims.map(({ source }) => source),
    };
  },
});

function example(text: string, given: string, order: string | null, finding: Finding["finding"]) {
  return { inputs: { text }, given, decision: { order, finding } };
}

/** What the two systems say together. Neither is believed where the other contradicts it. */
export function findingOf(
  order: Pick<RecordRow, "row"> | null,
  scan: Pick<RecordRow, "row"> | null,
  at: number,
): Finding["finding"] {
  if (order === null) return "none";
  const isDelivered = order.row["status"] === "delivered";
  const last = scan?.row["event"] ?? null;
  if (isDelivered !== (last === "delivered")) return "conflict";
  if (isDelivered) return "delivered";
  return daysBetween(String(order.row["promised_on"]), at) > 0 ? "late" : "on_time";
}

interface KindedClaim {
  readonly kind: keyof typeof sourceKinds;
  readonly text: string;
  readonly source: string;
}

/** Values are bound, not written: code renders them from the record. The terms are quoted as they stand. */
function claimsOf({ decision: { finding }, context }: Found): readonly KindedClaim[] {
  const [order] = rowsOf(context, "order");
  const [scan] = rowsOf(context, "scan");
  if (order === undefined || finding === "none") return [];
  const placed =
    "Order {{order.id}} was placed on {{order.placed_on}} and is {{order.status}}; it is promised for {{order.promised_on}}.";
  const seen = "The carrier saw the parcel last on {{scan.scanned_on}} in {{scan.place}}: {{scan.event}}.";
  const terms = passagesOf(context, "policy").filter(({ section }) => section === policySections[finding]);
  return [
    { kind: "order", text: placed, source: order.id },
    ...(scan === undefined ? [] : [{ kind: "scan" as const, text: seen, source: scan.id }]),
    ...terms.map(({ id, text }) => ({ kind: "policy" as const, text: text.replaceAll("\n", " "), source: id })),
  ];
}

function checkNamed({ inputs, decision: { order } }: Found) {
  const passed = order === null || order === orderNamed(inputs.text);
  return { passed, evidence: passed ? "the order is the one that was named, or none" : "another order was read" };
}

/** A carrier's scan says nothing of what was promised, and the terms nothing of where a parcel is. */
function checkKinds(decided: Found) {
  const strays = claimsOf(decided).filter(({ kind, source }) => {
    const item = decided.context.items.find(({ id }) => id === source);
    const from = item?.kind === "record" ? item.query : item?.kind;
    return from !== sourceKinds[kind];
  });
  return { passed: strays.length === 0, evidence: `${strays.length} claims whose source is of another kind` };
}
