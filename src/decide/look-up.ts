import { CountersignError } from "../contract/errors.ts";
import type { FactNeed } from "../contract/fact.ts";
import type { LookUp } from "../contract/look-up.ts";
import type { Envelope, Principal } from "../contract/principal.ts";
import type { Deps } from "./state.ts";

/** Looks up what a decision would be shown, without one: the same queries under the same permissions. Nothing is kept of it. */
export function createLookUp({
  context,
  permit,
  clock,
  environment,
}: Pick<Deps, "context" | "permit" | "clock" | "environment">): LookUp {
  const envelopeOf = (principal: Principal, at: number): Envelope => ({
    principal,
    scopes: permit.scopes(principal),
    environment,
    at,
  });
  return {
    search: async ({ principal, at = clock.now(), collection, metadata, query, limit }) => {
      // What is to be in force one day is shown by a capability alone, whose author decided that.
      if (at > clock.now()) throw new CountersignError("reference_time_invalid", "passages are searched as of now or before");
      return context.findPassages(
        {
          ...{ kind: "passages", name: "looked_up", query, limit, minimumScore: 0 },
          ...(collection === undefined ? {} : { collection }),
          ...(metadata === undefined ? {} : { metadata }),
        },
        envelopeOf(principal, at),
      );
    },
    facts: ({ principal, subject, predicates, at, limit, asKnownAt, steps }) => {
      const need: FactNeed = {
        ...{ kind: "facts", name: "looked_up", subject, predicates, at, limit, isRequired: false },
        ...(asKnownAt === undefined ? {} : { asKnownAt }),
        ...(steps === undefined ? {} : { steps }),
      };
      return context.readFacts(need, envelopeOf(principal, at));
    },
  };
}
