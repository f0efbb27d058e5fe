import type { Prompt } from "../contract/capability.ts";
import type { Json } from "../contract/json.ts";
import type { Model } from "../contract/model.ts";
import { fitToSchema } from "../contract/schema.ts";

/** A model that says that it is a fake, and remembers what it was asked. */
export interface FixedModel extends Model {
  readonly isFake: true;
  readonly asked: readonly Prompt[];
}

/**
 * Makes a fake model that gives the same reply to whatever it is asked, held against the schema as a real one's. Nothing is sent, counted
 * or kept of its calls; a reply that does not fit is given again at each attempt.
 * @example
 * const model = fixedModel({ keep: true });
 * model.isFake; // true
 */
export function fixedModel(reply: Json): FixedModel {
  const asked: Prompt[] = [];
  return {
    isFake: true,
    asked,
    call: async ({ prompt, schema }) => {
      asked.push(prompt);
      const fit = await fitToSchema(schema, reply);
      if (fit.kind === "fits") return { kind: "fits", value: fit.value, calls: [] };
      return { kind: "misfits", problem: fit.issues.join("; "), calls: [] };
    },
  };
}
