import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";

/** An id as it was given, or `bad_request`. `what` says whose. */
export function checkedId(what: string, given: string): string {
  if (idPattern.test(given)) return given;
  const message = `${what} is not of the form of ids: 1 to 63 of a-z, 0-9, \`_\`, \`.\` and \`-\`, with a letter or digit first`;
  throw new CountersignError("bad_request", message);
}

/** A name for people, trimmed, or `bad_request`. */
export function checkedName(given: string): string {
  const name = given.trim();
  if (name.length > 0 && name.length <= 200 && !/\p{Cc}/u.test(name)) return name;
  throw new CountersignError("bad_request", "the name has 1 to 200 characters, none of them a control character");
}

/** Roles that were given as a comma list, or `bad_request`. */
export function checkedRoles(given: string): readonly string[] {
  return [...new Set(given.split(",").map((role) => checkedId("a role", role.trim())))];
}
