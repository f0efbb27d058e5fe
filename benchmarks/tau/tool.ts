import type { z } from "zod";
import type { Json, JsonObject } from "../../src/contract/json.ts";
import { type Book, type Changes, documentOf } from "./book.ts";

/** What became of a call: a result with the changes that it asks for, or why it is refused. Nothing is changed by the call itself. */
export type Outcome =
  | { readonly kind: "ok"; readonly result: Json; readonly changes: Changes }
  | { readonly kind: "refused"; readonly why: string };

/** One tool as a pure function over a book. */
export interface Tool {
  readonly name: string;
  readonly writes: boolean;
  /** Of the arguments, as a strict object. */
  readonly form: z.ZodObject;
  readonly call: (args: JsonObject, book: Book) => Outcome;
}

/** Makes a tool whose arguments are parsed first; what does not fit is refused. */
export function defineTool<S extends z.ZodRawShape>({
  name,
  writes,
  form,
  run,
}: {
  readonly name: string;
  readonly writes: boolean;
  readonly form: z.ZodObject<S>;
  readonly run: (args: z.output<z.ZodObject<S>>, book: Book) => Outcome;
}): Tool {
  return {
    name,
    writes,
    form,
    call: (args, book) => {
      const fit = form.safeParse(args);
      return fit.success ? run(fit.data, book) : refused("the arguments do not fit");
    },
  };
}

/** The outcome of a call that only reads. */
export function found(result: Json): Outcome {
  return { kind: "ok", result, changes: new Map() };
}

/** The outcome of a call that changes the given documents; the result is the first of them. */
export function changed(documents: Readonly<Record<string, object>>): Outcome {
  const changes = new Map(Object.entries(documents).map(([path, document]) => [path, documentOf(document)]));
  return { kind: "ok", result: [...changes.values()][0] ?? null, changes };
}

/** The outcome of a call that may not be. */
export function refused(why: string): Outcome {
  return { kind: "refused", why };
}

/** A sum of money to two places. */
export function cents(amount: number): number {
  return Number(amount.toFixed(2));
}
