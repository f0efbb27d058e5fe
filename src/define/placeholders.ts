import { CountersignError } from "../contract/errors.ts";
import type { Slot, TypedQuery } from "../contract/record-query.ts";

/** The names that a placeholder may have in one query. */
export interface PlaceholderNames {
  readonly query: string;
  readonly params: readonly string[];
  readonly scope: TypedQuery["scope"];
}

/** What a placeholder stands for. Throws `definition_invalid` for a name that the query does not know. */
export function slotOf(name: string, { query, params, scope }: PlaceholderNames): Slot {
  if (isOfEnvelope(name)) return { kind: name };
  if (Object.hasOwn(scope, name)) return { kind: "scope", name };
  if (params.includes(name)) return { kind: "param", name };
  throw invalid(`query \`${query}\` has the placeholder \`:${name}\`, which is neither a param nor a name of its scope`);
}

/**
 * Refuses a query whose placeholders do not say whose rows it reads, or that leaves a param unused. A query that needs no tenant says why
 * in `unscoped`. Throws `definition_invalid`.
 */
export function checkSlots(
  slots: readonly Slot[],
  { unscoped, ...names }: PlaceholderNames & { unscoped: string | undefined },
): void {
  const named = `query \`${names.query}\``;
  if (unscoped?.trim() === "") throw invalid(`${named} is unscoped without a reason`);
  if (unscoped === undefined && !slots.some(({ kind }) => kind === "tenant"))
    throw invalid(
      `${named} does not name \`:tenant\`, so every tenant would see its rows; name it, or say why not with \`unscoped\``,
    );
  const taken = [...names.params, ...Object.keys(names.scope)].find(isOfEnvelope);
  if (taken !== undefined) throw invalid(`${named} gives \`:${taken}\` a meaning of its own; the envelope has it`);
  const doubled = names.params.find((name) => Object.hasOwn(names.scope, name));
  if (doubled !== undefined) throw invalid(`${named} has \`:${doubled}\` as a param and in its scope`);
  const isUsed = (kind: Slot["kind"], name: string) =>
    slots.some((slot) => slot.kind === kind && "name" in slot && slot.name === name);
  const unused = [
    ...names.params.filter((name) => !isUsed("param", name)),
    ...Object.keys(names.scope).filter((name) => !isUsed("scope", name)),
  ];
  if (unused[0] !== undefined) throw invalid(`${named} has the placeholder \`:${unused[0]}\` nowhere in it`);
}

const ofEnvelope = ["tenant", "principal", "roles", "scopes"] as const;

function isOfEnvelope(name: string): name is (typeof ofEnvelope)[number] {
  return ofEnvelope.some((one) => one === name);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
