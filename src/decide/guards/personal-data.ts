import { standsIn } from "../stands-in.ts";
import type { Guard } from "./guard.ts";

const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

/** More addresses than any honest output holds; each is looked for in all that was seen. */
const maxAddresses = 100;

/**
 * Personal data outside this principal's permitted context, in its first form: exact values of records that the principal may not
 * see are blocked; e-mail addresses that neither the request nor the context holds are cut out. Recognition comes with the boundary.
 */
export const personalDataGuard: Guard = {
  name: "personal_data",
  rule: async ({ texts, permitted, envelope, deps }) => {
    const seen = permitted.join("\n").toLowerCase();
    const hidden = await deps.hiddenValues.hiddenFrom(envelope);
    const said = texts.join("\n").toLowerCase();
    const leaks = hidden
      .map((value) => value.toLowerCase())
      .some((value) => value !== "" && said.includes(value) && !standsIn(seen, value));
    if (leaks) return { kind: "block", reason: "the output holds a value of a record that the requester may not see" };
    const addresses = new Set(texts.flatMap((text) => (text.includes("@") ? (text.match(emailPattern) ?? []) : [])));
    if (addresses.size > maxAddresses) return { kind: "block", reason: `the output holds more than ${maxAddresses} addresses` };
    const foreign = [...addresses].filter((address) => !standsIn(seen, address.toLowerCase()));
    return foreign.length === 0 ? { kind: "pass" } : { kind: "redact", values: foreign, with: "[address removed]" };
  },
};
