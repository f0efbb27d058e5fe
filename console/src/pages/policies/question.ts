import type { PolicyQuestion } from "../../../../src/contract/policy-view.ts";
import type { Search } from "../../shell/search.ts";

/** A question as it is typed; it stands in the address, so that it can be sent on. */
export interface TypedQuestion {
  readonly id: string;
  readonly roles: string;
  readonly onBehalfOf: string;
  readonly attributes: string;
  readonly action: string;
  readonly resource: string;
  readonly isListed: boolean;
}

/** Reads what was typed from the address. */
export function typedOf(search: Search, usual: { readonly id: string; readonly roles: readonly string[] }): TypedQuestion {
  return {
    id: search["id"] ?? usual.id,
    roles: search["roles"] ?? usual.roles.join(", "),
    onBehalfOf: search["for"] ?? "",
    attributes: search["attributes"] ?? "",
    action: search["action"] ?? "",
    resource: search["resource"] ?? "",
    isListed: search["listed"] !== "no",
  };
}

/** The same as the address holds it. An empty list of roles stays one: it is not the usual. */
export function addressOf({ id, roles, onBehalfOf, attributes, action, resource, isListed }: TypedQuestion): Search {
  return {
    ...{ id, roles: roles.trim() === "" ? " " : roles, for: onBehalfOf || undefined, attributes: attributes || undefined },
    ...{ action: action || undefined, resource: resource || undefined, listed: isListed ? undefined : "no", asked: "yes" },
  };
}

type Attributes = NonNullable<PolicyQuestion["resource"]>;
type Read = { readonly question: PolicyQuestion; readonly why: null } | { readonly question: null; readonly why: string };

/** What was typed as a question, or what is wrong with it in words. */
export function questionOf({ id, roles, onBehalfOf, attributes, action, resource, isListed }: TypedQuestion): Read {
  if (id.trim() === "") return wrong("Say who asks.");
  if (action === "") return wrong("Choose an action.");
  const about = attributesOf(resource);
  if (about === null) return wrong('What it is about has to be names with values, such as {"risk": "high", "effects": 1}.');
  const tags = attributesOf(attributes);
  if (tags === null || Object.values(tags).some(Array.isArray))
    return wrong('Attributes have to be names with values, such as {"floor": "3"}.');
  const principal = {
    id: id.trim(),
    roles: roles
      .split(",")
      .map((role) => role.trim())
      .filter((role) => role !== ""),
    ...(onBehalfOf.trim() === "" ? {} : { onBehalfOf: onBehalfOf.trim() }),
    // Lists were refused above.
    attributes: tags as NonNullable<PolicyQuestion["principal"]["attributes"]>,
  };
  return { question: { principal, action, resource: about, listed: isListed }, why: null };
}

function attributesOf(text: string): Attributes | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return Object.values(value).every(isAttribute) ? (value as Attributes) : null;
  } catch {
    return null;
  }
}

function isAttribute(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === "string");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function wrong(why: string): Read {
  return { question: null, why };
}
