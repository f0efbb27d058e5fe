import type { AnyCase, Case, CaseStep } from "../contract/case.ts";
import type { Schema } from "../contract/schema.ts";
import { checkCase } from "./check-case.ts";

/** What must be said of a case; the rest has defaults that fail closed. */
export type CaseDefinition<I, D, S extends string> = Pick<Case<D, S>, "name" | "version" | "owner" | "description" | "openTo"> &
  Partial<Pick<Case<D, S>, "events" | "deadlineMs" | "migrate" | "isRetired">> & {
    readonly input: Schema<I>;
    readonly data: Schema<D>;
    readonly begin: (started: {
      readonly input: I;
      readonly at: number;
      readonly key: string;
      readonly startedBy: string;
    }) => NoInfer<D>;
    readonly start: NoInfer<S>;
    /** By name; the names are what `to`, `reads` and `start` may say. */
    readonly steps: { readonly [name in S]: CaseStep<NoInfer<D>, NoInfer<S>> };
  };

/**
 * Defines a named, versioned course of work: typed steps and the ways between them. Throws `definition_invalid` where it breaks a rule:
 * a way that leads to no step, a step that no way leads to, one from which no end can be reached.
 * @example
 * defineCase({
 *   name: "loan", version: "1", owner: "service-desk", description: "Lend a device and get it back.", openTo: ["employee"],
 *   input: z.strictObject({ device: z.string() }), data: z.strictObject({ device: z.string() }),
 *   begin: ({ input }) => ({ device: input.device }),
 *   events: { returned: { body: z.strictObject({}), by: ["service-desk"] } },
 *   start: "lend",
 *   steps: {
 *     lend: {
 *       kind: "decide", capability: "lend_device", inputs: ({ data }) => ({ device: data.device }), to: ["wait", "refused"],
 *       next: ({ decision }) => ({ to: decision.outcome === "done" ? "wait" : "refused" }),
 *     },
 *     wait: { kind: "wait", events: ["returned"], to: ["back"], next: () => ({ to: "back" }) },
 *     back: { kind: "end", outcome: "returned" },
 *     refused: { kind: "end", outcome: "refused", isFailure: true },
 *   },
 * });
 */
export function defineCase<I, D, S extends string>(definition: CaseDefinition<I, D, S>): AnyCase {
  const made = { events: {}, deadlineMs: null, migrate: [], isRetired: false, ...definition };
  // The type parameters end here on purpose: the acting half hands each function only what this case's own schemas parsed.
  const erased = made as unknown as AnyCase;
  checkCase(erased);
  return Object.freeze(erased);
}
