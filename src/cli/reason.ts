import { CountersignError } from "../contract/errors.ts";

const most = 2_000;

/** A reason as it is put on record: without space around it, of 1 to 2000 characters. Throws `bad_request` for another. */
export function reasonOf(text: string): string {
  const reason = text.trim();
  if (reason === "" || text.length > most)
    throw new CountersignError("bad_request", `a reason has 1 to ${most} characters; it stands on record, so name nobody in it`);
  return reason;
}
