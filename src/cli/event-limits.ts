import { type EventLimits, usualEvents } from "../server/desk/event-limits.ts";
import { wholeOf } from "./whole-setting.ts";

/** How many may listen to changes at a desk, by its settings. Throws `configuration_invalid`. */
export function eventLimits(env: NodeJS.ProcessEnv): EventLimits {
  const range = { usual: usualEvents.most, least: 0, most: 100_000 };
  return { ...usualEvents, most: wholeOf("COUNTERSIGN_MOST_LISTENERS", env["COUNTERSIGN_MOST_LISTENERS"], range) };
}
