import type { Principal } from "../../contract/principal.ts";
import type { Resource } from "./question.ts";

/** The principal's own tenant as what is asked about. */
export function houseOf({ tenant }: Principal): Resource {
  return { id: tenant, attributes: { tenant } };
}
