/** Clients at the desks: they ask, other people sign, and each answer in the 200s is noted, since nothing of it may be lost. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Client, createClient } from "../../src/client/index.ts";
import { type ErrorCode, isCountersignError } from "../../src/contract/errors.ts";
import type { DecisionView } from "../../src/contract/views.ts";
import { bare, kinds, type Phase, pace, type TargetKind } from "./plan.ts";
import { valueFor } from "./project/effects.ts";
import { type Asked, capabilityName } from "./project/project.ts";

/** What a desk has confirmed. */
export interface Acknowledged {
  readonly tenant: string;
  readonly decisionId: string;
  /** `decision`: asked and decided. `approval`: signed by everybody whom it takes, or left to policy. */
  readonly what: "decision" | "approval";
  readonly effects: number;
}

/** What the clients know and did. */
export interface Notes {
  readonly acknowledged: Acknowledged[];
  /** Answers by their code, and ends without one. */
  readonly answers: Record<string, number>;
}

/** A desk with the decider behind it. */
export interface Door {
  readonly url: string;
  /** The slots of its two processes. */
  readonly slots: readonly string[];
}

/** Who asks and who signs, of one tenant; the keys of their own. */
export interface People {
  readonly tenant: string;
  readonly asker: string;
  readonly signers: readonly [string, string];
}

/** What clients need; `mayAsk` holds them back, `isOver` ends them after what they have begun. */
export interface Clients {
  readonly phase: Phase["name"] | "control";
  readonly doors: readonly Door[];
  readonly people: readonly People[];
  readonly passing: (slots: readonly string[]) => void;
  readonly mayAsk: () => boolean;
  readonly isOver: () => boolean;
}

const callMs = 6_000;
/** How long a client tries the same again, in milliseconds. */
const patienceMs = 60_000;

/** Runs the lanes until they are over, and returns what the desks said. */
export async function runClients(clients: Clients): Promise<Notes> {
  const notes: Notes = { acknowledged: [], answers: {} };
  const lane = async (): Promise<void> => {
    while (!clients.isOver()) {
      if (clients.mayAsk()) await oneDecision(clients, notes);
      else await wait(50);
    }
  };
  await Promise.all(Array.from({ length: pace.lanes }, lane));
  return notes;
}

async function oneDecision(clients: Clients, notes: Notes): Promise<void> {
  const people = oneOf(clients.people);
  const asked = draw(clients.phase);
  // Now and then somebody sends the same twice, not knowing: one business key, asked for in two decisions.
  const times = clients.phase !== "control" && Math.random() < 0.03 ? 2 : 1;
  await Promise.all(Array.from({ length: times }, () => askAndSign({ clients, notes, people, asked })));
}

interface Asking {
  readonly clients: Clients;
  readonly notes: Notes;
  readonly people: People;
  readonly asked: Asked;
}

async function askAndSign(asking: Asking): Promise<void> {
  const { notes, people, asked } = asking;
  const view = await ask(asking);
  if (view === null) return;
  const of = { tenant: people.tenant, decisionId: view.id, effects: view.effects.length };
  notes.acknowledged.push({ ...of, what: "decision" });
  if (view.route === "auto") return void notes.acknowledged.push({ ...of, what: "approval" });
  if (view.state !== "waiting") return;
  const needed = asked.items.some(({ weight }) => weight === "high") ? people.signers : people.signers.slice(0, 1);
  for (const key of needed) if (!(await sign(asking, { key, decisionId: view.id }))) return;
  notes.acknowledged.push({ ...of, what: "approval" });
}

/** Asks until there is an answer. What another process is at already is asked for anew: whoever was at it may be dead. */
async function ask({ clients, notes, people, asked }: Asking): Promise<DecisionView | null> {
  const key = { is: randomUUID() };
  return insist({ clients, notes, key: people.asker }, async (client) => {
    try {
      return await client.decide({ capability: capabilityName, inputs: asked, idempotencyKey: key.is });
    } catch (thrown) {
      const isTaken = isCountersignError(thrown, "in_progress") || isCountersignError(thrown, "decision_abandoned");
      if (isTaken) key.is = randomUUID();
      throw thrown;
    }
  });
}

/** Signs; says whether a desk has confirmed it: with its answer or, where that was lost, by refusing to let the same person sign again. */
async function sign({ clients, notes }: Asking, { key, decisionId }: { key: string; decisionId: string }): Promise<boolean> {
  const signed = await insist({ clients, notes, key }, async (client) => {
    try {
      return await client.approve(decisionId);
    } catch (thrown) {
      if (isCountersignError(thrown, "approver_not_permitted") && thrown.facts["rule"] === "two_people") return "before";
      throw thrown;
    }
  });
  return signed !== null;
}

/** Whoever is answered so may come again. */
const passes: readonly ErrorCode[] = [
  ...(["service_unavailable", "database_unavailable", "in_progress", "decision_abandoned", "taken"] as const),
  ...(["internal", "record_unavailable", "decision_failed"] as const),
];

async function insist<T>(
  { clients, notes, key }: { clients: Clients; notes: Notes; key: string },
  call: (client: Client) => Promise<T>,
): Promise<T | null> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const { url, slots } = oneOf(clients.doors);
    clients.passing(slots);
    try {
      const answer = await call(createClient({ baseUrl: url, apiKey: key, timeoutMs: callMs }));
      note(notes, "ok");
      return answer;
    } catch (thrown) {
      if (!isCountersignError(thrown)) throw thrown;
      note(notes, thrown.code);
      if (!passes.includes(thrown.code)) return null;
      await wait(50 + Math.random() * 150);
    }
  }
  return null;
}

function draw(phase: Clients["phase"]): Asked {
  const count = phase === "control" ? 1 : Math.random() < 0.6 ? 1 : Math.random() < 0.6 ? 2 : 3;
  const alone = phase === "control" || Math.random() < 0.35;
  const items = Array.from({ length: count }, () => {
    const kind: TargetKind = phase === "control" ? bare : oneOf(kinds);
    const heavy = Math.random() < 0.1 ? "high" : "medium";
    const thing = `${phase}-${randomUUID()}`;
    return { kind, thing, value: valueFor(thing), weight: alone ? "low" : heavy } as const;
  });
  return { items, alone };
}

function note({ answers }: Notes, code: string): void {
  answers[code] = (answers[code] ?? 0) + 1;
}

function oneOf<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new RangeError("there is nothing to choose from");
  return item;
}
