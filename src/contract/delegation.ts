import type { AllowList, AllowLists, Principal } from "./principal.ts";

/** What an account may: its roles and its own limits. */
export type Licence = Pick<Principal, "roles" | "allow">;

/** Cuts what one licence gives to what another gives too: roles that both have, and names that both lists hold. Gives nothing new. */
export function cutTo({ roles, allow }: Licence, most: Licence): Licence {
  return { roles: roles.filter((role) => most.roles.includes(role)), allow: cutLists(allow, most.allow) };
}

function cutLists(own: AllowLists, most: AllowLists): AllowLists {
  return {
    capabilities: cutList(own.capabilities, most.capabilities),
    records: cutList(own.records, most.records),
    documents: cutList(own.documents, most.documents),
    effects: cutList(own.effects, most.effects),
  };
}

function cutList(own: AllowList, most: AllowList): AllowList {
  if (own === "all") return most;
  return most === "all" ? own : own.filter((name) => most.includes(name));
}
