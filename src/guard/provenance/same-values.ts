import { canonicalJson, type Json } from "../../contract/json.ts";

/** Says whether two values are the same; of a list of many the order means nothing, and its length does. */
export function sameValues(left: Json, right: Json, isMany: boolean): boolean {
  if (!isMany || !Array.isArray(left) || !Array.isArray(right)) return canonicalJson(left) === canonicalJson(right);
  const sorted = (list: readonly Json[]) => canonicalJson(list.map(canonicalJson).toSorted());
  return sorted(left) === sorted(right);
}

/** Says whether a call has the arguments of a slot, neither more nor fewer. */
export function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return canonicalJson(left.toSorted()) === canonicalJson(right.toSorted());
}
