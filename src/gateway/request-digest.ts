import { hash } from "node:crypto";
import type { ModelRequest } from "../contract/model.ts";
import type { ShownSchema } from "./shown-schema.ts";

/** SHA-256 over what a model is asked, in hex: the choice of the model, the prompt, the schema. The same in recording and in replay. */
export function requestDigest({ model, prompt }: Pick<ModelRequest<unknown>, "model" | "prompt">, schema: ShownSchema): string {
  const { provider, id, effort, temperature, maxOutputTokens = null } = model;
  const messages = prompt.messages.flatMap(({ role, text }) => [role, text]);
  const asked = [provider, id, effort, temperature, maxOutputTokens, schema.digest, prompt.system, ...messages];
  return hash("sha256", JSON.stringify(asked), "hex");
}
