import { CountersignError } from "./errors.ts";

/** One model by the two words under which it is booked: its provider, as a project's `decide.ts` names it, and its id there. */
export interface ModelName {
  readonly provider: string;
  readonly id: string;
}

/** The name under which a model is booked, `provider/id`. */
export function modelName({ provider, id }: ModelName): string {
  return `${provider}/${id}`;
}

/** Reads a booked name: the provider up to the first slash, and the id behind it, which may hold more of them. `null` where either is missing. */
export function parseModelName(booked: string): ModelName | null {
  const at = booked.indexOf("/");
  return at < 1 || at === booked.length - 1 ? null : { provider: booked.slice(0, at), id: booked.slice(at + 1) };
}

/** Reads a booked name, or one that somebody wrote. Throws `bad_request` for what names no model. */
export function readModelName(text: string): ModelName {
  const read = parseModelName(text);
  if (read !== null) return read;
  const problem =
    "a model is written as `provider/id`, with the provider as `decide.ts` names it, such as `openai/gpt-4.1-2025-04-14`";
  throw new CountersignError("bad_request", problem);
}
