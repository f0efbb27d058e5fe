import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { actions } from "./actions.ts";
import type { EngineQuestion, Question } from "./question.ts";

/** Makes of a question the entities that policies see. They hold ids, roles and numbers; an account's attributes are tags, as text. */
export function engineQuestion({ principal, action, resource, listed }: Question): EngineQuestion {
  const asker = { type: "Principal", id: principal.id };
  const about = { type: actions[action], id: resource.id };
  return {
    principal: asker,
    action: { type: "Action", id: action },
    resource: about,
    context: listed === undefined ? {} : { listed },
    entities: [
      { uid: asker, attrs: attributesOf(principal), tags: tagsOf(principal.attributes), parents: [] },
      { uid: about, attrs: resource.attributes, parents: [] },
    ],
  };
}

function attributesOf({ tenant, id, roles, onBehalfOf }: Principal) {
  return { tenant, id, eyes: onBehalfOf ?? id, inPerson: onBehalfOf === null, roles };
}

/** Attributes of one value each; lists and objects are nothing that a policy could compare. */
function tagsOf(attributes: JsonObject): Readonly<Record<string, string>> {
  const tags: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string") tags[name] = value;
    else if (typeof value === "number" || typeof value === "boolean") tags[name] = String(value);
  }
  return tags;
}
