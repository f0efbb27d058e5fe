/**
 * Provenance: whether the values of a proposed effect come from where the effect allows.
 * In a fixed capability its own action template is the plan; what counts is who chose each value, and from what. Pure.
 */
import type { AnyEffect, ParamRule } from "../../contract/effect.ts";
import { type Json, leavesOf } from "../../contract/json.ts";
import type { Ruling } from "../../contract/principal.ts";
import type { ProposedEffect, Source } from "../../contract/proposal.ts";
import type { ParamClass, SourceKind } from "../../contract/words.ts";

/** An undeclared param counts as a target that only the principal may fill. */
const undeclared: ParamRule = { class: "target", sources: ["principal"] };
/** What these params say decides where an effect goes and how far, so nobody may steer them from outside. */
const steering: ReadonlySet<ParamClass> = new Set(["target", "selector", "amount", "param", "secret"]);
/** Text that others wrote; as data it never fills a steering param, whatever the effect declares. */
const foreign: ReadonlySet<SourceKind> = new Set(["passage", "third_party"]);

/**
 * Rules on every leaf of an effect's params: its source must be one that the effect allows for this param, and must not be a
 * model that read untrusted text where the param steers. Refused means a person decides; the reason names each pointer.
 */
export function judgeSources({
  effect,
  proposedEffect,
}: {
  effect: Pick<AnyEffect, "paramRules">;
  proposedEffect: Pick<ProposedEffect, "params" | "sources">;
}): Ruling {
  const { params, sources } = proposedEffect;
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    return { kind: "refused", rule: "source_not_trusted", reason: "the params are not an object" };
  }
  const faults = Object.entries(params).flatMap(([name, value]) => {
    const rule = Object.hasOwn(effect.paramRules, name) ? (effect.paramRules[name] ?? undeclared) : undeclared;
    return pointersOf(name, value).flatMap((pointer) => faultOf({ pointer, rule, source: sources[pointer] }));
  });
  if (faults.length === 0) return { kind: "permitted", rule: "sources_trusted" };
  return { kind: "refused", rule: "source_not_trusted", reason: faults.join("; ") };
}

/** The leaves of one param; an empty list or object is a value too and needs a source of its own. */
function pointersOf(name: string, value: Json): string[] {
  const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const leaves = leavesOf(value, pointer).map((leaf) => leaf.pointer);
  return leaves.length === 0 ? [pointer] : leaves;
}

function faultOf({ pointer, rule, source }: { pointer: string; rule: ParamRule; source: Source | undefined }): string[] {
  if (source === undefined) return [`\`${pointer}\` has no source`];
  if (!rule.sources.includes(source.kind)) return [`\`${pointer}\` comes from \`${source.kind}\`, which is not allowed for it`];
  if (!steering.has(rule.class)) return [];
  if (foreign.has(source.kind)) return [`\`${pointer}\` is a ${rule.class} and was taken from \`${source.kind}\``];
  if (source.chosenBy === "model" && source.untrustedInContext) {
    return [`\`${pointer}\` is a ${rule.class} and was chosen by a model that had read untrusted text`];
  }
  return [];
}
