import { defineEffect, type JsonObject, type Snapshot } from "countersign";
import { z } from "zod";
import { isAccessory, reasons } from "./capabilities/replacement-rule.ts";

const owner = "service-desk";
const deviceId = z.string().regex(/^dev-\d+$/);
const category = z.enum(["laptop", "phone", "mouse", "keyboard", "headset", "monitor"]);
const replacements = z.int().min(0);

/** The replacement that a business key names: a device and how often it was replaced before, so that a later one is a new one. */
type Replacement = { readonly device: string; readonly replacements: number };

/** The ticket's own name, known before the help desk gives it a number. */
export function ticketRef({ device, replacements: before }: Replacement): string {
  return `ticket:replacement:${device}:${before}`;
}

/** The order's own name. */
export function orderRef({ device, replacements: before }: Replacement): string {
  return `order:replacement:${device}:${before}`;
}

const ticketParams = z.strictObject({
  requester: z.string().regex(/^emp-\d+$/),
  device: deviceId,
  category,
  replacements,
  kind: z.literal("replacement"),
  reason: z.enum(reasons),
  note: z.string().min(1).max(2000),
});

/** Opens a ticket for the replacement of one device. */
export const createTicket = defineEffect({
  name: "create_ticket",
  version: "1",
  owner,
  params: ticketParams,
  paramRules: {
    requester: { class: "target", sources: ["principal"] },
    device: { class: "target", sources: ["record"] },
    category: { class: "selector", sources: ["record"] },
    replacements: { class: "selector", sources: ["record"] },
    kind: { class: "param", sources: ["constant"] },
    reason: { class: "param", sources: ["calculation"] },
    note: { class: "content", sources: ["principal"] },
  },
  sideEffect: "mutating",
  risk: (params) => (isAccessory(params.category) ? "low" : "medium"),
  reversible: true,
  describe: ({ category: kind, device, reason }) =>
    `Open a ticket to replace ${kind} ${device}, which is ${reasonInWords[reason]}`,
  key: ticketRef,
  dedupe: "key",
  settleMs: 2_000,
  before: { query: "tickets.byRef", params: (params) => ({ ref: ticketRef(params) }), project: ticketSnapshot },
  expect: {
    state: (params) => ({
      ref: ticketRef(params),
      requester: params.requester,
      device: params.device,
      kind: params.kind,
      status: "open",
      reason: params.reason,
      note: params.note,
    }),
    mayChange: [],
    deadlineMs: 60_000,
  },
});

const orderParams = z.strictObject({
  ticket: z.string().regex(/^ticket:replacement:dev-\d+:\d+$/),
  device: deviceId,
  category,
  replacements,
  model: z.string().min(1).max(100),
});

/** Orders the standard model of the category as the replacement of a device, on a ticket. */
export const orderReplacement = defineEffect({
  name: "order_replacement",
  version: "1",
  owner,
  params: orderParams,
  paramRules: {
    ticket: { class: "target", sources: ["calculation"] },
    device: { class: "target", sources: ["record"] },
    category: { class: "selector", sources: ["record"] },
    replacements: { class: "selector", sources: ["record"] },
    model: { class: "param", sources: ["record"] },
  },
  sideEffect: "mutating",
  risk: (params) => (isAccessory(params.category) ? "low" : "medium"),
  reversible: true,
  describe: ({ model, category: kind, device }) => `Order a ${model} to replace ${kind} ${device}`,
  key: orderRef,
  dedupe: "key",
  settleMs: 2_000,
  requires: [
    {
      name: "device_in_use",
      holds: ({ replacements: known }, before) => before?.["device_state"] === "in_use" && before["replacements"] === known,
    },
  ],
  before: {
    query: "orders.forDevice",
    params: (params) => ({ device: params.device, ref: orderRef(params) }),
    project: orderSnapshot,
  },
  expect: {
    state: (params) => ({
      device_state: "replacement_ordered",
      replacements: params.replacements + 1,
      ordered: true,
      ticket: params.ticket,
      model: params.model,
      status: "ordered",
    }),
    mayChange: [],
    deadlineMs: 60_000,
  },
});

const reasonInWords = { defective: "defective", worn_out: "worn out", lost: "lost" } as const;

/** What the ticket effect sees of the world: the ticket of that name, or nothing. */
export function ticketSnapshot(rows: readonly JsonObject[]): Snapshot {
  return pick(rows, ["ref", "requester", "device", "kind", "status", "reason", "note"]);
}

/** What the order effect sees of the world: the device's state, and the order of that name where there is one. */
export function orderSnapshot(rows: readonly JsonObject[]): Snapshot {
  return pick(rows, ["device_state", "replacements", "ordered", "ticket", "model", "status"]);
}

function pick(rows: readonly JsonObject[], fields: readonly string[]): Snapshot {
  const [row] = rows;
  return row === undefined ? null : Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));
}
