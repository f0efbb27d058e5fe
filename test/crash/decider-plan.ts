/** What the deciders of the kill suite are told: which decisions to run, and where each process ends. */
import { seeded } from "../../src/contract/seeded.ts";
import { type NodeName, nodeNames } from "../../src/contract/words.ts";
import { systemClock } from "../../src/store/clock.ts";
import { uuidIds } from "../../src/store/ids.ts";

/** What must become of the decision at whose point the process was killed. */
export type Fate = "never_began" | "abandoned" | "finished" | "either";
type Point = { readonly kills: number; readonly fate: Fate };

const journalPoints = {
  /** The server got a part of the call that opens. */
  open_torn: { kills: 20, fate: "never_began" },
  /** The opening has committed and its answer never arrived. */
  open_unanswered: { kills: 20, fate: "abandoned" },
  /** All twelve nodes are done. */
  after_exit: { kills: 20, fate: "abandoned" },
  /** The record is serialised and waits for its group. */
  close_called: { kills: 20, fate: "abandoned" },
  /** The server got a part of the call that closes. */
  close_torn: { kills: 25, fate: "abandoned" },
  /** The call has left the process, in the same turn of its event loop. */
  close_sent: { kills: 30, fate: "either" },
  /** Some moment after the close was called. */
  close_moment: { kills: 25, fate: "either" },
  /** The close has committed and its answer never arrived. */
  close_unanswered: { kills: 25, fate: "finished" },
  /** The answer has arrived and was told to nobody. */
  close_answered: { kills: 15, fate: "finished" },
} as const satisfies Record<string, Point>;

/** A place in a decision at which its process is killed: before a node, or in the journal's work. */
export type KillPoint = NodeName | keyof typeof journalPoints;

/** Every kill point, how often it is used, and what must become of the decision there. */
export const killPoints: ReadonlyMap<KillPoint, Point> = new Map<KillPoint, Point>([
  ...nodeNames.map((node) => [node, { kills: 25, fate: "abandoned" }] as const),
  ...(Object.entries(journalPoints) as [keyof typeof journalPoints, Point][]), // `entries` forgets the names of its keys
]);

/** One decision of a job, and how it ends if nothing happens to its process. */
export interface PlannedDecision {
  readonly decisionId: string;
  readonly entryId: string;
  readonly tenant: string;
  readonly does: "lend" | "answer" | "babble";
  /** How many turns of the event loop its model takes, so that decisions of one process do not march in step. */
  readonly modelTurns: number;
}

/** The work of one decider. */
export interface Job {
  readonly decisions: readonly PlannedDecision[];
  readonly leaseMs: number;
  /** Runs the first decision alone, so that the journal is connected when the others come. */
  readonly isWarm: boolean;
  /** Where its process is killed, on behalf of one decision; `null` where nobody kills it. */
  readonly kill: Kill | null;
  /** A node before which every decision waits until the process is told to go on. */
  readonly pausesAt: NodeName | null;
}

export interface Kill {
  readonly point: KillPoint;
  readonly victim: string;
  /** How many other decisions of the process are over before. */
  readonly overFirst: number;
  /** From 0 to 1: how much of a torn call is sent, or when in the moments after a close the kill comes. */
  readonly share: number;
}

/** The root key of the suite's payloads. */
export const rootKey = Buffer.alloc(32, 7);

const ids = uuidIds(systemClock);

/** A decision with ids of its own. */
export function planDecision(own: Omit<PlannedDecision, "decisionId" | "entryId">): PlannedDecision {
  return { decisionId: ids.next(), entryId: ids.next(), ...own };
}

/** One job for every kill, in a mixed order; the same seed gives the same plan but for the ids. */
export function planKills(seed: number): readonly Job[] {
  const random = seeded(seed);
  const points = [...killPoints].flatMap(([point, { kills }]) => Array.from({ length: kills }, () => point));
  const mixed = points.map((point) => ({ point, place: random() })).sort((a, b) => a.place - b.place);
  return mixed.map(({ point }) => planKill(point, random));
}

function planKill(point: KillPoint, random: () => number): Job {
  const upTo = (count: number): number => Math.floor(random() * count);
  const victimPlace = 1 + upTo(4);
  const decisions = Array.from({ length: 5 }, (_, place) => {
    // The victim has to come to every point, so its model never babbles.
    const does = (["lend", "answer", "babble"] as const)[upTo(place === victimPlace ? 2 : 3)] ?? "lend";
    return planDecision({ tenant: random() < 0.5 ? "acme" : "globex", does, modelTurns: upTo(200) });
  });
  const victim = decisions[victimPlace]?.decisionId ?? "";
  const kill = { point, victim, overFirst: upTo(4), share: random() };
  return { decisions, leaseMs: 5_000, isWarm: random() < 0.7, kill, pausesAt: null };
}
