/** What one run may still use, in memory: a tree whose every node draws on its parent. Decides nothing but whether a cap holds. */
import type { CallBounds, CallHold, OverBudget, RunCaps, RunMeter } from "../../contract/budget.ts";
import type { Clock } from "../../contract/ports.ts";
import { tokensOf } from "../../contract/usage.ts";
import { costOf, free, type Prices, worstCaseOf } from "./prices.ts";

/** The caps of a run with none left out. */
export type FullCaps = Required<RunCaps>;

/** A cap on money that nobody set. */
export const uncapped = Number.MAX_SAFE_INTEGER;

/** How a run's meter is opened. */
export interface OpeningMeter {
  readonly caps: FullCaps;
  readonly prices: Pick<Prices, "priceOf" | "version">;
  readonly clock: Clock;
}

interface Node {
  readonly name: string;
  readonly caps: FullCaps;
  readonly parent: Node | null;
  readonly startedAt: number;
  /** Used, and held for requests that are under way. */
  readonly counted: { turns: number; toolCalls: number; tokens: number; costMicros: number; children: number };
}

/** Opens the meter of a run. */
export function openRunMeter({ caps, prices, clock }: OpeningMeter): RunMeter {
  return meterOf(nodeOf({ name: "the run", caps, parent: null, clock }), { prices, clock });
}

type Room = Pick<OpeningMeter, "prices" | "clock">;

function nodeOf({ name, caps, parent, clock }: Pick<Node, "name" | "caps" | "parent"> & { clock: Clock }): Node {
  const counted = { turns: 0, toolCalls: 0, tokens: 0, costMicros: 0, children: 0 };
  return { name, caps, parent, startedAt: clock.monotonic(), counted };
}

function meterOf(node: Node, room: Room): RunMeter {
  return {
    holdCall: (bounds) => holdCall({ node, bounds, room }),
    toolCall: () => {
      const over = firstOver(node, { toolCalls: 1 }, room.clock);
      if (over === null) add(node, { toolCalls: 1 });
      return over;
    },
    child: (name, caps) => {
      const over = firstOver(node, { children: 1 }, room.clock) ?? nothingLeft(node);
      if (over !== null) return over;
      add(node, { children: 1 });
      const child = nodeOf({ name, caps: { ...node.caps, ...caps }, parent: node, clock: room.clock });
      return { kind: "opened", meter: meterOf(child, room) };
    },
  };
}

type Amounts = Partial<Node["counted"]>;

function holdCall({ node, bounds, room }: { node: Node; bounds: CallBounds; room: Room }): CallHold | OverBudget {
  const price = room.prices.priceOf(bounds.model, bounds.isScripted) ?? (isMoneyCapped(node) ? null : free);
  if (price === null) return unpriced(bounds.model);
  const { tokens, costMicros } = worstCaseOf(price, bounds);
  const over = firstOver(node, { turns: 1, tokens, costMicros }, room.clock);
  if (over !== null) return over;
  add(node, { turns: 1, tokens, costMicros });
  return {
    kind: "held",
    prices: room.prices.version,
    room: { tokens, costMicros },
    settle: (usage) => {
      const cost = costOf(price, usage);
      add(node, { tokens: tokensOf(usage) - tokens, costMicros: cost - costMicros });
      return cost;
    },
    release: () => add(node, { turns: -1, tokens: -tokens, costMicros: -costMicros }),
  };
}

function isMoneyCapped(node: Node): boolean {
  for (let at: Node | null = node; at !== null; at = at.parent) if (at.caps.costMicros < uncapped) return true;
  return false;
}

/** The first cap, from this part of the run upwards, that would not hold these amounts; `null` where all hold. */
function firstOver(node: Node, amounts: Amounts, clock: Clock): OverBudget | null {
  for (let at: Node | null = node; at !== null; at = at.parent) {
    const { name, caps, counted, startedAt } = at;
    if (clock.monotonic() - startedAt >= caps.ms) return overBudget(`${name} has used up its time of ${caps.ms} ms`);
    for (const [unit, amount] of Object.entries(amounts) as [keyof Amounts, number][]) {
      if (counted[unit] + amount > caps[unit])
        return overBudget(
          `${name} may use ${caps[unit]} ${wordOf[unit]}; ${counted[unit]} are used or held, and ${amount} more could be needed`,
        );
    }
  }
  return null;
}

/** A parent refuses a child once there is nothing that the child could draw on. */
function nothingLeft(node: Node): OverBudget | null {
  for (let at: Node | null = node; at !== null; at = at.parent) {
    const { name, caps, counted } = at;
    for (const unit of ["turns", "tokens"] as const)
      if (counted[unit] >= caps[unit]) return overBudget(`${name} has used up its ${caps[unit]} ${wordOf[unit]}`);
    if (counted.costMicros >= caps.costMicros && counted.costMicros > 0)
      return overBudget(`${name} has used up its ${caps.costMicros} ${wordOf.costMicros}`);
  }
  return null;
}

function add(node: Node, amounts: Amounts): void {
  for (let at: Node | null = node; at !== null; at = at.parent) {
    for (const [unit, amount] of Object.entries(amounts) as [keyof Amounts, number][]) at.counted[unit] += amount;
  }
}

const wordOf = {
  turns: "requests to models",
  toolCalls: "reads through tools",
  tokens: "tokens",
  costMicros: "millionths",
  children: "parts",
} as const;

function unpriced(model: string): OverBudget {
  return overBudget(
    `no price is known for \`${model}\`, so what it costs cannot be held to a budget; add it to the file of COUNTERSIGN_PRICES`,
  );
}

function overBudget(detail: string): OverBudget {
  return { kind: "over_budget", detail };
}
