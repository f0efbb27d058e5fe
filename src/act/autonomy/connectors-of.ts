import type { Capability } from "../../contract/capability.ts";
import { canonicalJson, type Json } from "../../contract/json.ts";
import { sha256Digest } from "../../store/digest.ts";
import type { Hands } from "../hands.ts";

/**
 * The digest, in hex, of what the connectors declare that show this process the state before and after a capability's effects: the queries
 * with their fields, who writes these and who is shown them, and through which connectors it is written and observed. Where it changes,
 * what was verified before says nothing of now.
 */
export function connectorsOf(
  { effects }: Pick<Capability, "effects">,
  { records, hands }: Pick<Hands, "records" | "hands">,
): string {
  const declared = effects.map((effect): Json => {
    const source = records.find(({ queries }) => queries.some(({ name }) => name === effect.before.query));
    const query = source?.queries.find(({ name }) => name === effect.before.query);
    const hand = hands.find((one) => one.effect.name === effect.name);
    return {
      effect: effect.name,
      before: effect.before.query,
      connector: source?.connector.name ?? null,
      // Declarations are plain data; their interfaces only lack index signatures.
      ...{
        labels: (query?.labels ?? null) as Json,
        units: (query?.units ?? null) as Json,
        fields: (query?.fields ?? null) as Json,
      },
      applies: hand?.apply.connector.name ?? null,
      observes: hand?.observe.connector.name ?? null,
    };
  });
  return sha256Digest.sha256(canonicalJson(declared));
}
