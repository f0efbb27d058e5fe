import type { Principal, Ruling } from "../../contract/principal.ts";
import { refused } from "./refused.ts";

/** Rules on who stops effects, capabilities or the tenant in an emergency, and lifts that again: an owner, in person. */
export function mayStop(principal: Principal): Ruling {
  if (principal.onBehalfOf !== null) return refused("stops_in_person", "nobody stops or resumes on behalf of another");
  if (principal.roles.includes("owner")) return { kind: "permitted", rule: "owner_stops" };
  return refused("owner_stops", "only an owner stops or resumes");
}

/** Rules on who reads what is stopped, by whom and why: whoever signs, audits or owns. That something is stopped everybody is told. */
export function maySeeStops(principal: Principal): Ruling {
  if (principal.roles.some((role) => readers.has(role))) return { kind: "permitted", rule: "stops_are_read" };
  return refused("stops_are_read", "only an approver, an auditor or an owner reads what is stopped and why");
}

const readers: ReadonlySet<string> = new Set(["approver", "auditor", "owner"]);
