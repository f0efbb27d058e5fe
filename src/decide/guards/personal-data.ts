import { standsIn } from "../stands-in.ts";
import type { Guard, Guarded, GuardRuling } from "./guard.ts";
import { folded } from "./shown.ts";

const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

/** More addresses than any honest output holds; each is looked for in all that was seen. */
const maxAddresses = 100;

/**
 * Personal data outside this principal's permitted context: exact values of records that the principal may not see are blocked; e-mail
 * addresses that neither the request nor the context holds are cut out. Names and numbers are not looked for here, since an output holds
 * what code has calculated, and a total that looks like a telephone number must not be cut; the privacy boundary looks before a model.
 */
export const personalDataGuard: Guard = {
  name: "personal_data",
  rule: async (guarded) => {
    const { texts, folds, permitted, envelope, deps } = guarded;
    const hidden = await deps.hiddenValues.findHidden({ texts: folds, envelope });
    const addresses = addressesIn(texts);
    const asSeen = addressesIn(folds);
    if (hidden.length + addresses.length + asSeen.length === 0) return { kind: "pass" };
    const seen = permitted().map(folded).join("\n");
    const isForeign = (value: string): boolean => !standsIn(seen, folded(value));
    if (hidden.some((value) => value !== "" && isForeign(value)))
      return block("the output holds a value of a record that the requester may not see");
    if (addresses.length > maxAddresses || asSeen.length > maxAddresses)
      return block(`the output holds more than ${maxAddresses} addresses`);
    return rulingOn({ addresses: addresses.filter(isForeign), asSeen: asSeen.filter(isForeign) });
  },
};

/** What a reader sees as an address and what is not written as one cannot be found again to be cut out. */
function rulingOn({ addresses, asSeen }: { addresses: readonly string[]; asSeen: readonly string[] }): GuardRuling {
  const written = new Set(addresses.map(folded));
  if (asSeen.some((address) => !written.has(address))) return block("the output holds an address with invisible characters");
  return addresses.length === 0 ? { kind: "pass" } : { kind: "redact", values: addresses, with: "[address removed]" };
}

function addressesIn(texts: Guarded["texts"]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text.includes("@") ? (text.match(emailPattern) ?? []) : [])))];
}

function block(reason: string): GuardRuling {
  return { kind: "block", reason };
}
