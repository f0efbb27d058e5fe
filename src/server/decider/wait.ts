import { setTimeout as pause } from "node:timers/promises";
import type { DecisionState, DecisionView } from "../../contract/views.ts";

/** States that go on by themselves; everything else has ended or waits for a person. */
const moving: readonly DecisionState[] = ["waiting_for_policy", "signed", "applying", "incomplete", "unknown"];
const everyMs = 100;

/** Reads a decision again until it has ended, waits for a person, or the time is up; gives what is known by then. */
export async function waitForEnd({
  view,
  ms,
  read,
}: {
  view: DecisionView;
  ms: number;
  read: () => Promise<DecisionView>;
}): Promise<DecisionView> {
  const end = performance.now() + ms;
  let seen = view;
  while (moving.includes(seen.state) && performance.now() < end) {
    await pause(everyMs);
    seen = await read();
  }
  return seen;
}
