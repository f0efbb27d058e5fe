import { CountersignError } from "../contract/errors.ts";

/** An id as it may stand in a path; one that could lead elsewhere (`..`, `/`) is the id of nothing. Throws `not_found`. */
export function inPath(id: string): string {
  if (/^[0-9A-Za-z_-]{1,64}$/.test(id)) return id;
  throw new CountersignError("not_found", "nothing of that id is open to you; ids are those that the service gave out");
}
