import type { Capability } from "../contract/capability.ts";
import type { AnyEffect } from "../contract/effect.ts";
import { canonicalJson, type Json } from "../contract/json.ts";
import type { Digest } from "../contract/ports.ts";
import type { Proposal, ProposedEffect } from "../contract/proposal.ts";
import { fitToSchema } from "../contract/schema.ts";
import type { Project } from "./project.ts";

/** A proposed effect that says of itself what this process's own definitions say of it, with its parsed params; or what differs. */
export type Recomputed =
  | { readonly kind: "same"; readonly effect: AnyEffect; readonly params: Json }
  | { readonly kind: "differs"; readonly rule: string; readonly reason: string };

/**
 * Computes anew, by the definitions loaded here, everything that a proposal says of one of its effects: what a person reads before
 * signing as well as what is bound by digests. A proposal is the work of the half that decides, so nothing of it is taken on trust.
 */
export async function recomputeEffect({
  project,
  proposal,
  proposed,
  isBegun = false,
  digest,
}: {
  project: Project;
  proposal: Proposal;
  proposed: ProposedEffect;
  /** Its operation was begun: of the capability it matters no more which version made the proposal. */
  isBegun?: boolean;
  digest: Digest;
}): Promise<Recomputed> {
  const { digest: told, ...rest } = proposal;
  if (digest.sha256(canonicalJson(rest)) !== told) return differs("proposal_digest", "the proposal is not the one of its digest");
  const capability = project.capabilities.find((one) => one.name === proposal.capability);
  if (capability === undefined) return differs("capability", `capability \`${proposal.capability}\` is not part of this project`);
  if (!isBegun && !isStillSigned(capability, proposal.capabilityVersion))
    return differs(
      "capability_version",
      `the proposal was made by version \`${proposal.capabilityVersion}\`, which is not current`,
    );
  const effect = capability.effects.find((one) => one.name === proposed.effect);
  if (effect === undefined) return differs("effect", `effect \`${proposed.effect}\` is not one of this capability`);
  if (effect.version !== proposed.version) return differs("effect_version", "the effect has another version");
  if (digest.sha256(canonicalJson(proposed.params)) !== proposed.paramsDigest)
    return differs("params_digest", "the params were altered");
  if (digest.sha256(canonicalJson(proposed.before)) !== proposed.beforeDigest)
    return differs("before_digest", "the state before was altered");
  const fit = await fitToSchema(effect.params, proposed.params);
  if (fit.kind === "misfits") return differs("params_schema", "the params do not fit the effect's schema");
  const params = fit.value;
  if (canonicalJson(params) !== canonicalJson(proposed.params))
    return differs("params_schema", "the params are not in their parsed form");
  return faultOf({ effect, params, proposed }) ?? { kind: "same", effect, params };
}

/** Says whether proposals of this version may be signed and carried out: it is current, or the current one keeps what waits. */
export function isStillSigned({ version, keepsWaiting }: Pick<Capability, "version" | "keepsWaiting">, made: string): boolean {
  return keepsWaiting || version === made;
}

function faultOf({ effect, params, proposed }: { effect: AnyEffect; params: Json; proposed: ProposedEffect }): Recomputed | null {
  try {
    if (effect.key(params) !== proposed.key) return differs("key", "the business key is not that of the params");
    if (effect.risk(params) !== proposed.risk) return differs("risk", "the risk is not that of the params");
    if (effect.describe(params) !== proposed.sentence) return differs("sentence", "the sentence is not that of the params");
    if (effect.sideEffect !== proposed.sideEffect) return differs("side_effect", "the side effect is not that of the effect");
    if (effect.reversible !== proposed.reversible) return differs("reversible", "whether it can be undone is told otherwise");
    const expected = effect.expect.state(params, proposed.before);
    if (canonicalJson(expected) !== canonicalJson(proposed.expected))
      return differs("expected", "the expected state is not that of the params");
    return null;
  } catch {
    return differs("recompute", "the effect's own functions failed on these params");
  }
}

function differs(rule: string, reason: string): Recomputed {
  return { kind: "differs", rule, reason };
}
