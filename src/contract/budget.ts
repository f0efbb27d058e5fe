import type { Usage } from "./usage.ts";

/** What one run may use at most: a decision, with everything that is opened on its budget. A cap that is left out is the usual one. */
export interface RunCaps {
  /** Requests to models, those that are sent again included. */
  readonly turns?: number;
  /** Reads through tools of a loop. */
  readonly toolCalls?: number;
  /** Tokens of all kinds. */
  readonly tokens?: number;
  /** Millionths of the currency that prices are in. */
  readonly costMicros?: number;
  /** From the beginning of the run, in milliseconds. */
  readonly ms?: number;
  /** Sub-queries, loops and other parts that are opened on this budget, over all depths. */
  readonly children?: number;
}

/** What a budget of a tenant counts: money, tokens of all kinds, or requests to models. */
export const budgetUnits = ["micros", "tokens", "turns"] as const;
export type BudgetUnit = (typeof budgetUnits)[number];

/**
 * Whom a budget is for: all of a tenant, one capability, one principal, or a kind of case. `*` as a name is each of them for itself, and a
 * budget of cases is each case for itself: its steps are children that draw on what the case has left.
 */
export const budgetScopes = ["tenant", "capability", "principal", "case"] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** After which a budget begins anew, by the calendar in UTC; `ever` never does, and is for cases. */
export const budgetPeriods = ["day", "month", "ever"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** A cap of a tenant that many runs share. */
export interface Budget {
  readonly id: string;
  readonly scope: BudgetScope;
  /** Empty for the tenant itself, the name of a capability, principal or kind of case, or `*`. */
  readonly name: string;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly cap: number;
}

/** That something is not done since a budget would not hold it. */
export interface OverBudget {
  readonly kind: "over_budget";
  /** In words for people: which cap, how much it is, and what it would have taken. Holds nothing of the request. */
  readonly detail: string;
}

/** What a request to a model may take at most, as far as it is known before it is sent. */
export interface CallBounds {
  /** `provider/id`. */
  readonly model: string;
  readonly isScripted: boolean;
  /** UTF-8 bytes of all that is sent: no tokeniser makes more tokens than bytes. */
  readonly inputBytes: number;
  readonly maxOutputTokens: number;
}

/** Room for one request, taken before it is sent. */
export interface CallHold {
  readonly kind: "held";
  /** Gives the room back against what was used; returns what that cost, in millionths, rounded up. */
  readonly settle: (usage: Usage) => number;
  /** Gives the room back as if it had never been taken: nothing was sent. */
  readonly release: () => void;
  /** The version of the prices that it goes by. */
  readonly prices: string;
  /** The room that was taken. */
  readonly room: { readonly tokens: number; readonly costMicros: number };
}

/**
 * What a run still has. Everything is asked of it before it is done, and a child draws on what its parent has left: a cap holds for all
 * that is opened below it.
 */
export interface RunMeter {
  readonly holdCall: (bounds: CallBounds) => CallHold | OverBudget;
  readonly toolCall: () => OverBudget | null;
  /** Opens a part of the run on its budget, with caps of its own; refused once nothing is left to draw on. */
  readonly child: (name: string, caps: RunCaps) => { readonly kind: "opened"; readonly meter: RunMeter } | OverBudget;
}

/** What a run took of the budgets that many share, as its intent keeps it: an allotment of this process and an amount for each. */
export interface Reservation {
  readonly allotments: readonly string[];
  readonly amounts: readonly number[];
}

/** A run that may begin; it must be ended in one of the three ways. */
export interface MeteredRun {
  readonly kind: "begun";
  readonly meter: RunMeter;
  /** `null` where no shared budget is for this run. */
  readonly reservation: Reservation | null;
  /** Ends it with what its record says was used, once that is committed. */
  readonly settle: (used: Readonly<Record<BudgetUnit, number>>) => void;
  /** Ends it as if it had never begun: nothing was opened for it. */
  readonly release: () => void;
  /** Leaves it to the sweep that goes by what is in the ledger: whether it was opened or closed is not known here. */
  readonly leave: () => void;
}

/** Whose run it is, and its own caps. */
export interface RunToMeter {
  readonly tenant: string;
  readonly principal: string;
  readonly capability: string;
  /** The case whose step it is: its kind and its id; `null` outside of cases. */
  readonly case: { readonly kind: string; readonly id: string } | null;
  readonly caps: RunCaps;
}

/** Reserves the worst case of a run before it begins. */
export interface Meter {
  readonly begin: (run: RunToMeter) => Promise<MeteredRun | OverBudget>;
}
