import type { Permit, UsedCapability } from "../../contract/ports.ts";
import { isListed, type Principal } from "../../contract/principal.ts";
import type { Ask } from "./ask.ts";

/** What the deciding half asks: who may use, read and propose what. The account's allow-lists are part of each answer. */
export function permitOf(version: string, ask: Ask): Permit {
  return {
    version,
    mayUse: (principal, capability) => {
      const { name, openTo } = capability;
      const resource = { id: name, attributes: { name, openTo } };
      return ask({ principal, action: "useCapability", resource, listed: isUseListed(principal, capability) });
    },
    scopes: (principal) =>
      labelsFor(principal)
        .filter((label) => isShown(ask, principal, label))
        .map(textOf),
    mayRead: (principal, query) => {
      const listed = isListed(principal.allow.records, query);
      return ask({ principal, action: "readRecords", resource: { id: query, attributes: { name: query } }, listed });
    },
    mayCall: (principal, tool) => ask({ principal, action: "callTool", resource: { id: tool, attributes: { name: tool } } }),
    mayPropose: (principal, { name, risk }) => {
      const listed = isListed(principal.allow.effects, name);
      return ask({ principal, action: "proposeEffect", resource: { id: name, attributes: { name, risk } }, listed });
    },
  };
}

/** A capability is listed where all that it is known to touch is: its effects, and the queries that read the state before them. */
function isUseListed({ allow }: Principal, { name, effects }: UsedCapability): boolean {
  return (
    isListed(allow.capabilities, name) &&
    effects.every((effect) => isListed(allow.effects, effect.name) && isListed(allow.records, effect.before.query))
  );
}

interface Label {
  readonly kind: "tenant" | "role" | "person";
  readonly name: string;
}

/** The labels that a principal could see; which of them it sees is policy's to say. */
function labelsFor({ id, roles }: Principal): readonly Label[] {
  return [
    { kind: "tenant", name: "all" },
    ...roles.map((name) => ({ kind: "role", name }) as const),
    { kind: "person", name: id },
  ];
}

function isShown(ask: Ask, principal: Principal, label: Label): boolean {
  const resource = { id: textOf(label), attributes: { kind: label.kind, name: label.name } };
  return ask({ principal, action: "readDocuments", resource }).kind === "permitted";
}

function textOf({ kind, name }: Label): string {
  return `${kind}:${name}`;
}
