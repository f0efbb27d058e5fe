import { defineCase } from "countersign";
import { z } from "zod";
import { request } from "../capabilities/request.ts";

const dayMs = 24 * 60 * 60 * 1000;

const data = z.strictObject({
  text: z.string(),
  startedAt: z.int(),
  parcel: z.string().nullable(),
  condition: z.enum(["whole", "damaged", "lost"]).nullable(),
});

/**
 * A replacement from the request to the old device's return, in five days: the request is decided and signed for, which orders the new
 * device; the depot says when it came; the old one is handed in by the fifth day, or somebody is reminded.
 */
export const hardwareReplacement = defineCase({
  name: "hardware_replacement",
  version: "1",
  owner: "service-desk",
  description: "Replace a device: order, delivery, and the old one handed in, within five days.",
  openTo: ["employee"],
  input: request,
  data,
  begin: ({ input, at }) => ({ text: input.text, startedAt: at, parcel: null, condition: null }),
  events: {
    delivered: { body: z.strictObject({ parcel: z.string().min(1).max(60) }), by: ["it-lead"], notByStarter: true },
    returned: { body: z.strictObject({ condition: z.enum(["whole", "damaged", "lost"]) }), by: ["it-lead"], notByStarter: true },
  },
  deadlineMs: 7 * dayMs,
  start: "order",
  steps: {
    // Whoever may sign signs the decision itself, at the desk. It is done when the order stands in the help desk's own records.
    order: {
      kind: "decide",
      capability: "replace_device",
      to: ["delivery", "declined"],
      inputs: ({ data: { text } }) => ({ text }),
      next: ({ decision }) => ({ to: decision.outcome === "done" ? "delivery" : "declined" }),
    },
    delivery: {
      kind: "wait",
      events: ["delivered"],
      until: ({ at }) => at + 3 * dayMs,
      to: ["return", "chase"],
      next: ({ data: known, event }) => {
        if (event === null) return { to: "chase" };
        return { to: "return", data: { ...known, parcel: parcelOf(event.body) } };
      },
    },
    // The depot is late: its owner is told after a day of it, and the case goes on whenever the parcel comes.
    chase: {
      kind: "wait",
      owner: "depot",
      deadlineMs: dayMs,
      events: ["delivered"],
      until: ({ data: { startedAt } }) => startedAt + 10 * dayMs,
      to: ["return", "undelivered"],
      next: ({ data: known, event }) => {
        if (event === null) return { to: "undelivered" };
        return { to: "return", data: { ...known, parcel: parcelOf(event.body) } };
      },
    },
    return: {
      kind: "wait",
      events: ["returned"],
      until: ({ data: { startedAt } }) => startedAt + 5 * dayMs,
      to: ["tell", "remind"],
      next: ({ data: known, event }) => {
        if (event === null) return { to: "remind" };
        return { to: "tell", data: { ...known, condition: conditionOf(event.body) } };
      },
    },
    // The fifth day is over and the old device is not back: the service desk is told, and once more when nothing helps.
    remind: {
      kind: "wait",
      deadlineMs: dayMs,
      events: ["returned"],
      until: ({ at }) => at + 5 * dayMs,
      to: ["tell", "kept"],
      next: ({ data: known, event }) => {
        if (event === null) return { to: "kept" };
        return { to: "tell", data: { ...known, condition: conditionOf(event.body) } };
      },
    },
    // No model: a rule reads the ticket's record, and who asked has the answer among their decisions.
    tell: {
      kind: "decide",
      capability: "ticket_state",
      to: ["closed"],
      inputs: () => ({ text: "How far is my ticket?" }),
      next: () => ({ to: "closed" }),
    },
    closed: { kind: "end", outcome: "closed" },
    declined: { kind: "end", outcome: "declined" },
    undelivered: { kind: "end", outcome: "undelivered", isFailure: true },
    kept: { kind: "end", outcome: "old_device_kept", isFailure: true },
  },
});

const parcelOf = (body: unknown) => z.looseObject({ parcel: z.string() }).parse(body).parcel;
const conditionOf = (body: unknown) => data.pick({ condition: true }).loose().parse(body).condition;
