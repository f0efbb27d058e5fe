/** The scripted model's way with slow laptops: it measures first, then looks where the measurement points, and ends. */
import type { Quote } from "./quote.ts";
import {
  type Asked,
  passagesIn,
  rowsIn,
  type ShownPassage,
  type ShownRow,
  type ShownSource,
  sourcesIn,
  sourcesOf,
} from "./sources.ts";

/** What each cause is looked up by, and which field shows it. */
const causes = {
  disk_full: {
    words: "less than 10 percent of free disk space",
    says: "Only {{diagnostics_1.disk_free_percent}} percent of the disk is free.",
  },
  memory: { words: "memory used programs", says: "{{diagnostics_1.memory_used_percent}} percent of the memory is used." },
  heat: { words: "laptop hot fan cleaned", says: "The laptop lowers its own speed at {{diagnostics_1.temperature_c}} degrees." },
  battery: {
    words: "battery capacity exchanged",
    says: "The battery has {{diagnostics_1.battery_health_percent}} percent of its capacity.",
  },
} as const;
type Cause = keyof typeof causes;

/** The next step from what stands in the prompt. */
export function readSlowness(asked: Asked): string {
  const laptop = rowsIn(sourcesOf(asked), "devices.ofPerson").find(({ row }) => row["category"] === "laptop");
  if (laptop === undefined) return final("unknown", []);
  const device = String(laptop.row["id"]);
  const found = foundBy(asked);
  const measured = rowsIn(found, "diagnostics.ofDevice")[0];
  if (measured === undefined) return call("diagnostics", { device });
  const cause = causeIn(measured);
  const hasHistory = asks(asked).includes("history");
  if ((cause === null || cause === "heat" || cause === "battery") && !hasHistory) return call("history", { device, months: 36 });
  if (cause === null) return final("unknown", []);
  const passages = passagesIn(found);
  if (passages.length === 0 && !asks(asked).includes("policy")) return call("policy", { words: causes[cause].words });
  return final(cause, [{ text: causes[cause].says, source: measured.id }, ...whatIsDone(passages[0])]);
}

function causeIn({ row }: ShownRow): Cause | null {
  if (Number(row["disk_free_percent"]) < 10) return "disk_full";
  if (Number(row["memory_used_percent"]) > 90) return "memory";
  if (row["is_throttled"] === true) return "heat";
  return Number(row["battery_health_percent"]) < 60 ? "battery" : null;
}

/** What came of the steps until now. */
function foundBy({ messages }: Asked): readonly ShownSource[] {
  const steps = messages.filter(({ role, text }) => role === "user" && text.startsWith("Step "));
  return steps.flatMap(({ text }) => sourcesIn(text));
}

/** A passage of the policy ends with what is done. */
function whatIsDone(passage: ShownPassage | undefined): readonly Quote[] {
  const text = passage?.text
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?]) /)
    .at(-1);
  return passage === undefined || text === undefined ? [] : [{ text, source: passage.id }];
}

/** The tools that were called until now. */
function asks({ messages }: Asked): readonly string[] {
  return messages.flatMap(({ role, text }) => (role === "assistant" ? [/"tool":"(\w+)"/.exec(text)?.[1] ?? ""] : []));
}

function call(tool: string, args: object): string {
  return JSON.stringify({ next: { tool, arguments: args } });
}

function final(cause: string, claims: readonly Quote[]): string {
  return JSON.stringify({ next: { final: { cause, claims, confidence: cause === "unknown" ? 75 : 92 } } });
}
