import { z } from "zod";
import { defineCase } from "../../../src/define/case.ts";

const common = { version: "1", owner: "office", description: "A case of the tests.", openTo: ["clerk"] };
const dayMs = 24 * 60 * 60 * 1000;
const none = z.strictObject({});

const named = z.strictObject({ name: z.string() });

/** Writes one line by policy alone, then waits for two people's signatures under another one. */
const notified = defineCase({
  ...common,
  name: "notified",
  input: named,
  data: named,
  begin: ({ input }) => input,
  start: "tell",
  steps: {
    tell: {
      kind: "decide",
      capability: "write_line",
      to: ["sign", "failed"],
      inputs: ({ data }) => ({ name: data.name, note: "notified" }),
      next: ({ decision }) => ({ to: decision.outcome === "done" ? "sign" : "failed" }),
    },
    sign: {
      kind: "decide",
      capability: "write_line",
      to: ["signed", "failed"],
      inputs: ({ data }) => ({ name: `${data.name}-signed`, note: "grave" }),
      next: ({ decision }) => ({ to: decision.outcome === "done" ? "signed" : "failed" }),
    },
    signed: { kind: "end", outcome: "signed" },
    failed: { kind: "end", outcome: "failed", isFailure: true },
  },
});

/** Two decisions in a row, each of which a person signs. */
export const twice = defineCase({
  ...common,
  name: "twice",
  input: named,
  data: named,
  begin: ({ input }) => input,
  start: "first",
  steps: {
    first: {
      kind: "decide",
      capability: "write_line",
      to: ["second", "ended"],
      inputs: ({ data }) => ({ name: `${data.name}-1`, note: "risky" }),
      next: ({ decision }) => ({ to: decision.outcome === "done" ? "second" : "ended" }),
    },
    second: {
      kind: "decide",
      capability: "write_line",
      to: ["ended"],
      inputs: ({ data }) => ({ name: `${data.name}-2`, note: "risky" }),
      next: () => ({ to: "ended" }),
    },
    ended: { kind: "end", outcome: "ended" },
  },
});

/** Says a text, has it graded, and writes it again until it is good; each step reads the other's accepted proposal from the ledger. */
export const graded = defineCase({
  ...{ ...common, name: "graded", start: "draft" },
  input: z.strictObject({ texts: z.array(z.string()) }),
  data: z.strictObject({ texts: z.array(z.string()), tries: z.int() }),
  begin: ({ input }) => ({ texts: input.texts, tries: 0 }),
  steps: {
    draft: {
      kind: "decide",
      capability: "say",
      to: ["grade", "given_up"],
      inputs: ({ data }) => ({ text: data.texts[data.tries] ?? "" }),
      next: ({ data, decision }) =>
        decision.outcome === "answered" ? { to: "grade", data: { ...data, tries: data.tries + 1 } } : { to: "given_up" },
    },
    grade: {
      kind: "decide",
      capability: "grade",
      reads: ["draft"],
      to: ["draft", "good", "given_up"],
      inputs: ({ read }) => ({ text: read["draft"]?.proposal?.summary ?? "" }),
      next: ({ data, decision }) => {
        if (decision.label === "good") return { to: "good" };
        return { to: data.tries < data.texts.length ? "draft" : "given_up" };
      },
    },
    good: { kind: "end", outcome: "good" },
    given_up: { kind: "end", outcome: "given_up", isFailure: true },
  },
});

/** Writes a line whose name a decision before it worded: nobody but that one chose it. */
const echoed = defineCase({
  ...common,
  name: "echoed",
  input: named,
  data: named,
  begin: ({ input }) => input,
  start: "word",
  steps: {
    word: {
      kind: "decide",
      capability: "say",
      to: ["write"],
      inputs: ({ data }) => ({ text: data.name }),
      next: () => ({ to: "write" }),
    },
    write: {
      kind: "decide",
      capability: "write_line",
      reads: ["word"],
      to: ["ended"],
      inputs: ({ read }) => ({ name: read["word"]?.proposal?.summary ?? "", note: "echoed" }),
      next: () => ({ to: "ended" }),
    },
    ended: { kind: "end", outcome: "ended" },
  },
});

/** Waits three days for a parcel; keeps who told it. */
const parcel = defineCase({
  ...{ ...common, name: "parcel", start: "wait", deadlineMs: 5 * dayMs },
  input: named,
  data: z.strictObject({ name: z.string(), by: z.array(z.string()), padding: z.string().optional() }),
  begin: ({ input }) => ({ name: input.name, by: [] }),
  events: {
    arrived: { body: z.strictObject({ shelf: z.string().max(20_000) }), by: ["warehouse"] },
    agreed: { body: none, by: ["clerk", "warehouse"], notByStarter: true },
  },
  steps: {
    wait: {
      kind: "wait",
      events: ["arrived"],
      until: ({ at }) => at + 3 * dayMs,
      to: ["agree", "late"],
      next: ({ data, event }) =>
        event === null ? { to: "late" } : { to: "agree", data: { ...data, by: [...data.by, event.by] } },
    },
    agree: {
      kind: "wait",
      events: ["agreed"],
      to: ["closed"],
      next: ({ data, event }) => ({ to: "closed", data: { ...data, by: [...data.by, event?.by ?? ""] } }),
    },
    closed: { kind: "end", outcome: "closed" },
    late: { kind: "end", outcome: "late", isFailure: true },
  },
});

/** Takes what it is told, one after the other, until it is told to stop. */
export const counting = defineCase({
  ...{ ...common, name: "counting", start: "count" },
  input: none,
  data: z.strictObject({ sum: z.int(), padding: z.string() }),
  begin: () => ({ sum: 0, padding: "" }),
  events: {
    add: { body: z.strictObject({ by: z.int() }), by: ["warehouse"] },
    pad: { body: z.strictObject({ size: z.int() }), by: ["warehouse"] },
    stop: { body: none, by: ["warehouse"] },
  },
  steps: {
    count: {
      kind: "wait",
      events: ["add", "pad", "stop"],
      to: ["count", "done"],
      next: ({ data, event }) => {
        // Bodies were checked against the event's schema.
        const body = event?.body as { by?: number; size?: number } | undefined;
        if (event?.name === "add") return { to: "count", data: { ...data, sum: data.sum + (body?.by ?? 0) } };
        if (event?.name === "pad") return { to: "count", data: { ...data, padding: "x".repeat(body?.size ?? 0) } };
        return { to: "done" };
      },
    },
    done: { kind: "end", outcome: "done" },
  },
});

/** Waits for one word, for being a branch. */
export const branch = defineCase({
  ...{ ...common, name: "branch", start: "wait" },
  input: z.strictObject({ size: z.int() }),
  data: z.strictObject({ size: z.int() }),
  begin: ({ input }) => input,
  events: { ended: { body: z.strictObject({ well: z.boolean() }), by: ["warehouse"] } },
  steps: {
    wait: {
      kind: "wait",
      events: ["ended"],
      to: ["well", "badly"],
      next: ({ data, event }) => {
        const isWell = JSON.stringify(event?.body).includes("true");
        return { to: isWell ? "well" : "badly", data: { size: data.size * 10 } };
      },
    },
    well: { kind: "end", outcome: "well" },
    badly: { kind: "end", outcome: "badly", isFailure: true },
  },
});

const sizes = z.strictObject({ sizes: z.array(z.int()) });
const sideBySide = (name: string, joins: "all_ended" | "first_failure") =>
  defineCase({
    ...{ ...common, name, start: "all" },
    input: sizes,
    data: z.strictObject({ sizes: z.array(z.int()), ends: z.record(z.string(), z.string()) }),
    begin: ({ input }) => ({ sizes: input.sizes, ends: {} }),
    steps: {
      all: {
        kind: "all",
        cases: ["branch"],
        joins,
        to: ["joined"],
        branches: ({ data }) => data.sizes.map((size, place) => ({ name: `b${place}`, case: "branch", input: { size } })),
        next: ({ data, branches }) => {
          const ends = Object.entries(branches).map(([of, end]) => [of, `${end.outcome} ${JSON.stringify(end.data)}`]);
          return { to: "joined", data: { ...data, ends: Object.fromEntries(ends) } };
        },
      },
      joined: { kind: "end", outcome: "joined" },
    },
  });

/** Runs branches side by side until all have ended. */
const spread = sideBySide("spread", "all_ended");
/** Runs branches side by side until the first has failed. */
const hasty = sideBySide("hasty", "first_failure");

/** Runs one other case. */
const planned = defineCase({
  ...{
    ...common,
    name: "planned",
    input: none,
    data: z.strictObject({ end: z.string() }),
    begin: () => ({ end: "" }),
    start: "run",
  },
  steps: {
    run: {
      kind: "plan",
      case: "graded",
      to: ["ended"],
      input: () => ({ texts: ["good"] }),
      next: ({ plan }) => ({ to: "ended", data: { end: plan.outcome ?? "" } }),
    },
    ended: { kind: "end", outcome: "ended" },
  },
});

/** Has no way on where nothing is answered, and code that throws where it is told to. */
const fragile = defineCase({
  ...{ ...common, name: "fragile", start: "say" },
  input: z.strictObject({ text: z.string() }),
  data: z.strictObject({ text: z.string() }),
  begin: ({ input }) => input,
  steps: {
    say: {
      kind: "decide",
      capability: "say",
      to: ["said"],
      owner: "speakers",
      inputs: ({ data }) => ({ text: data.text }),
      next: ({ data, decision }) => {
        if (data.text === "throw") throw new Error("a fault of the definition");
        return decision.outcome === "answered" ? { to: "said" } : null;
      },
    },
    said: { kind: "end", outcome: "said" },
  },
});

/** All of them. */
export const allCases = [notified, twice, graded, echoed, parcel, counting, branch, spread, hasty, planned, fragile];
