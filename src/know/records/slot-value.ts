import type { Json, JsonObject } from "../../contract/json.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { ScopeValue, Slot, TypedQuery } from "../../contract/record-query.ts";

/** What a placeholder is bound to, for this asker and these params. */
export function slotValue(
  slot: Slot,
  { scope, params, envelope }: { scope: TypedQuery["scope"]; params: JsonObject; envelope: Envelope },
): Json | ScopeValue {
  switch (slot.kind) {
    case "tenant":
      return envelope.principal.tenant;
    case "principal":
      return envelope.principal.id;
    case "roles":
      return envelope.principal.roles;
    case "scopes":
      return envelope.scopes;
    case "scope":
      return scope[slot.name]?.(envelope) ?? null;
    case "param":
      return params[slot.name] ?? null;
  }
}
