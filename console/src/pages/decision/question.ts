import { type DecisionState, decisionStates } from "../../../../src/contract/views.ts";
import type { Search } from "../../shell/search.ts";

/** What of the decisions is asked for, as the address says. */
export interface Question {
  readonly of: "mine" | "all";
  readonly state?: DecisionState;
  readonly capability?: string;
  readonly person?: string;
  /** Days in UTC, in milliseconds: the first, and the one after the last. */
  readonly from?: number;
  readonly before?: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Reads the question from the address; what is no filter is left out. Whoever may see those of others sees them first. */
export function questionOf(search: Search, isAllOpen: boolean): Question {
  const state = decisionStates.find((one) => one === search["state"]);
  const capability = nameOf(search["capability"]);
  const person = nameOf(search["person"]);
  const from = dayOf(search["from"]);
  const to = dayOf(search["to"]);
  return {
    of: isAllOpen && search["of"] !== "mine" ? "all" : "mine",
    ...(state === undefined ? {} : { state }),
    ...(capability === undefined ? {} : { capability }),
    ...(person === undefined || !isAllOpen || search["of"] === "mine" ? {} : { person }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { before: to + dayMs }),
  };
}

/** Says whether the list holds less than all. */
export function isNarrowed(search: Search): boolean {
  return ["state", "capability", "person", "from", "to"].some((name) => search[name] !== undefined);
}

function nameOf(text: string | undefined): string | undefined {
  const name = text?.trim() ?? "";
  return name === "" ? undefined : name;
}

function dayOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) ? undefined : at;
}
