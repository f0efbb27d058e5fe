import type { Guard } from "./guard.ts";

const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

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
    const leaks = hidden.some((value) => value !== "" && said.includes(value.toLowerCase()) && !seen.includes(value.toLowerCase()));
    if (leaks) return { kind: "block", reason: "the output holds a value of a record that the requester may not see" };
    const foreign = texts.flatMap((text) => text.match(emailPattern) ?? []).filter((address) => !seen.includes(address.toLowerCase()));
    return foreign.length === 0 ? { kind: "pass" } : { kind: "redact", values: foreign, with: "[address removed]" };
  },
};
