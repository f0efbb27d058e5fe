import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Environment, environment } from "./parts.ts";
import type { Tool } from "./tool.ts";
import { bankingTools } from "./tools/banking.ts";
import { calendarTools, cancelEvent, createEvent, dayEvents, searchEvents } from "./tools/calendar.ts";
import { driveTools } from "./tools/drive.ts";
import { mailTools, sendEmail } from "./tools/mail.ts";
import { slackTools } from "./tools/slack.ts";
import { travelTools } from "./tools/travel.ts";

/** The suites of the set. */
export const suites = ["workspace", "travel", "banking", "slack"] as const;
export type SuiteName = (typeof suites)[number];

const vector = z.object({ default: z.string(), appears_at: z.array(z.string()) });
const form = z.object({
  suite: z.enum(suites),
  suite_version: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      class: z.enum(["read", "write"]),
      egress: z.boolean(),
      parameters: z.object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).default([]) }),
    }),
  ),
  injection_vectors: z.record(z.string(), vector),
  environment,
});

/** A place of an environment where a stranger's text stands, with the harmless text that stands there. */
export type Vector = z.infer<typeof vector>;
/** A tool as the set lists it. */
export type ListedTool = z.infer<typeof form>["tools"][number];

/** One suite: what there is before any task, and what can be called. */
export interface Suite {
  readonly name: SuiteName;
  readonly version: string;
  readonly environment: Environment;
  readonly vectors: ReadonlyMap<string, Vector>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** The tools as the set lists them; each must be among `tools`. */
  readonly listed: readonly ListedTool[];
}

/** The file of a suite in the folder of all sets. */
export function suiteFile(data: string, name: SuiteName): string {
  return join(data, "agentdojo", "common", `suite.${name}.json`);
}

/** Reads a suite from the folder of all sets; `null` where there is no such file. */
export async function readSuite(data: string, name: SuiteName): Promise<Suite | null> {
  const path = suiteFile(data, name);
  if (!existsSync(path)) return null;
  const read = form.parse(JSON.parse(await readFile(path, "utf8")));
  return {
    name,
    version: read.suite_version,
    environment: read.environment,
    vectors: new Map(Object.entries(read.injection_vectors)),
    tools: toolsOf(name),
    listed: read.tools,
  };
}

/** By name. */
function toolsOf(name: SuiteName): ReadonlyMap<string, Tool> {
  return new Map(tools[name].map((tool) => [tool.name, tool]));
}

const tools: Readonly<Record<SuiteName, readonly Tool[]>> = {
  workspace: [...mailTools, dayEvents, searchEvents, createEvent, cancelEvent, ...calendarTools, ...driveTools],
  travel: [...travelTools, dayEvents, searchEvents, createEvent, cancelEvent, sendEmail],
  banking: bankingTools,
  slack: slackTools,
};
