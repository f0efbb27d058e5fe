import type { ContextItem, Need } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ArgRule } from "./plan.ts";
import type { Envelope } from "./principal.ts";
import type { Schema } from "./schema.ts";

/**
 * A typed, bounded way to one record query or passage search, for a bounded loop: its arguments fit a schema, and what it reads is a
 * need like any other, so permissions, provenance, labels and reading credentials are those of the port `Context`. Made by `defineTool`.
 */
export interface Tool<A = unknown> {
  readonly name: string;
  /** One sentence that the model is shown. */
  readonly description: string;
  /** A tool of a loop changes nothing; whatever else is refused. */
  readonly sideEffect: "read";
  /** Its limits are those of the tool: lengths, ranges and closed lists of what may be asked for. */
  readonly args: Schema<A>;
  /** The schema of the arguments as JSON Schema, converted once. */
  readonly argsJson: JsonObject;
  /** What to read. The loop names the need itself, by tool and step. */
  readonly need: (args: A, asked: { readonly inputs: unknown; readonly envelope: Envelope }) => NeedOfTool;
  /** The reference time of the facts that it finds, from the request or the envelope's clock; the clock where it is left out. */
  readonly at?: (asked: { readonly inputs: unknown; readonly envelope: Envelope }) => number;
  /** What each argument is for, where plans may use the tool; one that is not declared counts as a `target` of plain text. */
  readonly argRules?: { readonly [arg: string]: ArgRule };
}

/** A need without its name; one of facts also without its time, which no model names. */
export type NeedOfTool =
  | Omit<Need & { kind: "passages" }, "name">
  | Omit<Need & { kind: "records" }, "name">
  | Omit<Need & { kind: "facts" }, "name" | "at" | "asKnownAt">;

/** What a call of a tool gives: what was read, or that it was refused or failed. It never throws. */
export type ToolAnswer =
  | { readonly kind: "found"; readonly items: readonly ContextItem[] }
  /** Not on the capability's list. */
  | { readonly kind: "off_list" }
  | { readonly kind: "misfits"; readonly issues: readonly string[] }
  | { readonly kind: "failed"; readonly fault: ErrorCode };

/** One step of a bounded loop, as its trace keeps it. */
export interface LoopStep {
  /** Counted from 1; 0 for what the runtime itself read for the plan, before the first step. */
  readonly step: number;
  /** The slot of the plan that it was read for; left out for a step of the model's. */
  readonly slot?: string;
  /** `null` for a final answer and where no reply came. A name that is not on the list is kept as the model wrote it. */
  readonly tool: string | null;
  /** What the tool was asked for; `null` where there is no tool. As the model wrote it where the tool is not on the list. */
  readonly arguments: Json;
  /** `unread` where a stop came before the tool was called; `no_reply` where no reply that fits came in time. The stop says why. */
  readonly outcome: "read" | "failed" | "off_list" | "unread" | "final" | "no_reply";
  /** Why the tool could not be read, by its code; `null` otherwise. */
  readonly fault: ErrorCode | null;
  /** What was found, each item under the id and the need by which later nodes know it. */
  readonly found: readonly ContextItem[];
  /** SHA-256 over the canonical form of what was found, in hex; `null` where nothing was read. */
  readonly resultDigest: string | null;
  /** Tokens of all kinds that the model's replies of this step took, those that did not fit included. */
  readonly tokens: number;
  readonly costMicros: number;
  readonly ms: number;
}

/** How far a loop may go; whichever comes first ends it. */
export interface LoopCaps {
  readonly ms: number;
  /** Tokens of all kinds, over all steps. */
  readonly tokens: number;
  /** Millionths of the currency that prices are in. Until there are prices every call costs 0, and this cap is not hit. */
  readonly costMicros: number;
}

/** The need's name under which what a tool found in a step is known, such as `history_2`; bindings use it. */
export function needOf(tool: string, step: number): string {
  return `${tool}_${step}`;
}

/** What a tool found, over all steps. */
export function foundBy(context: { readonly items: readonly ContextItem[] }, tool: string): readonly ContextItem[] {
  return context.items.filter(({ need }) => need.startsWith(`${tool}_`) && /^[0-9]+$/.test(need.slice(tool.length + 1)));
}
