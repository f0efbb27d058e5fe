import { CountersignError } from "../contract/errors.ts";
import { deepFreeze, type JsonObject } from "../contract/json.ts";
import { jsonSchemaOf } from "../contract/schema.ts";
import type { Tool } from "../contract/tool.ts";

/**
 * Defines a tool of a bounded loop: a name, a sentence, the schema of its arguments, and the record query or passage search that they
 * stand for. Throws `definition_invalid` where it breaks a rule, as a tool does that would change something.
 * @example
 * defineTool({
 *   name: "history", description: "What happened to one of the asker's devices, newest first.", sideEffect: "read",
 *   args: z.strictObject({ device: z.string().regex(/^dev-\d+$/) }),
 *   need: ({ device }) => ({ kind: "records", query: "history.ofDevice", params: { device }, maxAgeMs: 60_000 }),
 * });
 */
export function defineTool<A>(definition: Omit<Tool<A>, "argsJson">): Tool {
  const tool: Tool<A> = { ...definition, argsJson: shownArguments(definition) };
  const named = `tool \`${tool.name}\``;
  // Bindings name what a tool found by its name and step, so the name is a word that a binding can hold.
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(tool.name))
    throw invalid(`${named} needs a name of lower-case letters, digits and \`_\` that begins with a letter, at most 40`);
  if (tool.description.trim() === "") throw invalid(`${named} needs a description that the model is shown`);
  if (tool.sideEffect !== "read") throw invalid(`${named} would change something; the tools of a loop only read`);
  // The type of the arguments ends here on purpose: `need` is handed only what the tool's own schema parsed.
  return Object.freeze(tool) as unknown as Tool;
}

function shownArguments<A>({ name, args }: Pick<Tool<A>, "name" | "args">): JsonObject {
  const schema = shownSchema(name, args);
  if (schema["type"] === "object") return schema;
  throw invalid(`tool \`${name}\` needs arguments with names: let its schema be an object`);
}

function shownSchema<A>(name: string, args: Tool<A>["args"]): JsonObject {
  try {
    return deepFreeze(jsonSchemaOf(args));
  } catch (cause) {
    const message = `tool \`${name}\` has arguments that no model can be shown; use no transforms in their schema`;
    throw new CountersignError("definition_invalid", message, { cause });
  }
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
