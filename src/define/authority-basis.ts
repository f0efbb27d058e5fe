import { meetsRule, type SliceEvidence } from "../contract/autonomy.ts";
import { calibrationLabel } from "../contract/calibration.ts";
import type { Capability, Deciding } from "../contract/capability.ts";
import { canonicalJson, type Json } from "../contract/json.ts";
import type { Digest } from "../contract/ports.ts";
import type { Tool } from "../contract/tool.ts";
import { contractDigest } from "./contract-digest.ts";

/**
 * The digest, in hex, of all that a capability's authority rests on: its version, who decides it by which prompt and model, the contracts
 * of its tools, its judge, the contracts of its effects. Evidence of one basis says nothing of another, so where it changes every slice of the
 * capability comes down. As with effects, code is told by its version alone. A calibration is not in it: what people decided stays evidence
 * under another one.
 */
export function basisOf(capability: Capability, digest: Digest): string {
  const { name, version, deciding, judge, retrieval, effects, decisionJson } = capability;
  const based: Json = {
    ...{ name, version, decision: decisionJson },
    deciding: decidingData(deciding),
    judge: judge === null ? null : { version: judge.version, model: { ...judge.model }, ratePpm: judge.ratePpm },
    retrieval: retrieval === undefined ? null : { version: retrieval.version, model: { ...retrieval.model } },
    effects: effects.map((effect) => contractDigest(effect, digest)),
  };
  return digest.sha256(canonicalJson(based));
}

/** What a slice was opened under: the definition, the calibration and the evidence; `null` where none of it was kept. */
interface AuthorityGround {
  readonly basis: string | null;
  readonly calibration: string | null;
  readonly evidence: SliceEvidence | null;
}

/**
 * Why a slice may not stand on its ground under the definition of today: that, or its calibration, is another one; or the evidence is below the bar of
 * today, or fewer would be shown to people than was signed. `null` where it may.
 */
export function groundChange(
  { basis, calibration, evidence }: AuthorityGround,
  capability: Capability,
  digest: Digest,
): "definition_changed" | "rule_changed" | null {
  const isSame = basis === basisOf(capability, digest) && calibration === calibrationLabel(capability.calibration);
  if (!isSame) return "definition_changed";
  return evidence === null || meetsRule(evidence, capability.autonomy) ? null : "rule_changed";
}

function decidingData(deciding: Deciding<never>): Json {
  const { kind, version } = deciding;
  if (deciding.kind === "rule") return { kind, version };
  const second = deciding.second === undefined ? null : { ...deciding.second };
  const asked = { kind, version, model: { ...deciding.model }, second };
  if (deciding.kind === "prompt") return asked;
  const { tools, maxSteps, plan } = deciding;
  return { ...asked, tools: tools.map(toolData), maxSteps, plan: plan?.version ?? null };
}

function toolData({ name, description, argsJson, argRules }: Tool): Json {
  return { name, description, args: argsJson, argRules: (argRules ?? null) as Json }; // rules of arguments are plain data
}
