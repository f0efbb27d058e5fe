import { CountersignError } from "../../contract/errors.ts";
import { isKeepableText } from "../../contract/json.ts";

/** Refuses what a person wrote with `bad_text`, `bad_request` where there is nothing in it, or `too_large`; `why` says who reads it. */
export function checkText({ name, text, most, why }: { name: string; text: string; most: number; why: string }): void {
  if (!isKeepableText(text)) throw new CountersignError("bad_text", `the ${name} holds NUL or a lone surrogate`);
  if (text.trim() === "") throw new CountersignError("bad_request", `the ${name} is missing; ${why}`);
  if (text.length > most) throw new CountersignError("too_large", `the ${name} has at most ${most} characters`);
}
