import { CountersignError } from "../contract/errors.ts";
import { toFrozenJson } from "../contract/json.ts";

/** Inputs as frozen plain JSON that every store can keep. Throws `bad_text` for what is not, before anything is written. */
export function keepableInputs(inputs: unknown): unknown {
  try {
    return toFrozenJson(inputs);
  } catch (cause) {
    const message = "the inputs hold characters or values that cannot be kept, such as NUL or a lone surrogate";
    throw new CountersignError("bad_text", message, { cause });
  }
}
