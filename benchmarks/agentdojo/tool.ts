import type { z } from "zod";
import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { Environment, Parts } from "./parts.ts";

/** What became of a call: its result and the environment after it, or why it failed; then nothing changed. */
export type Outcome =
  | { readonly kind: "ok"; readonly result: Json; readonly environment: Environment }
  | { readonly kind: "error"; readonly error: string };

/** One tool as a pure function over an environment. */
export interface Tool {
  readonly name: string;
  readonly call: (environment: Environment, args: JsonObject) => Outcome;
}

/** What an implementation gives back: a result and the parts that it replaces, or an error. */
export type Answer = { readonly result: Json; readonly changed?: Environment } | { readonly error: string };

/** Makes a tool that needs some parts of an environment; arguments are parsed first. */
export function defineTool<S extends z.ZodRawShape, P extends keyof Parts>({
  name,
  parts,
  form,
  run,
}: {
  readonly name: string;
  readonly parts: readonly P[];
  readonly form: z.ZodObject<S>;
  readonly run: (args: z.output<z.ZodObject<S>>, environment: Pick<Parts, P>) => Answer;
}): Tool {
  return {
    name,
    call: (environment, args) => {
      const fit = form.safeParse(args);
      if (!fit.success) return { kind: "error", error: `the arguments of \`${name}\` do not fit` };
      if (!hasParts(environment, parts)) return { kind: "error", error: `there is nothing here for \`${name}\` to work on` };
      const answer = run(fit.data, environment);
      if ("error" in answer) return { kind: "error", error: answer.error };
      return { kind: "ok", result: answer.result, environment: { ...environment, ...answer.changed } };
    },
  };
}

/** The time that is written where the original writes that of the clock, which the set does not compare. */
export const now = "<now>";

function hasParts<P extends keyof Parts>(environment: Environment, parts: readonly P[]): environment is Pick<Parts, P> {
  return parts.every((part) => environment[part] !== undefined);
}
