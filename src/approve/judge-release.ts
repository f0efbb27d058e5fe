import type { AnyEffect } from "../contract/effect.ts";
import { contractDigest } from "../define/contract-digest.ts";
import { newestRelease } from "../ledger/releases.ts";
import type { Tx } from "../store/database.ts";
import { sha256Digest } from "../store/digest.ts";
import type { Measure } from "./licence.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** The environment of the demo, in which an effect may be tried before it was released. */
const untested = "demo";

/**
 * Refuses what was not released: an effect whose newest run of the release matrix failed a cell goes through alone nowhere
 * (`release_failed`); one that never ran as it is defined now, or not for this environment, nowhere but in the demo (`release_missing`).
 * `null` where nothing stands against it.
 */
export async function judgeRelease({
  tx,
  effects,
  measure: { environment },
}: {
  tx: Tx;
  effects: readonly AnyEffect[];
  measure: Pick<Measure, "environment">;
}): Promise<Refusal | null> {
  for (const effect of effects) {
    const { name, version } = effect;
    const release = await newestRelease(tx, { effect: name, version });
    if (release?.isPassed === false)
      return refuses("release_failed", `effect \`${name}\` failed a cell when \`countersign effect test\` was last run`);
    const missing = environment === untested ? null : missingOf(effect, { release, environment });
    if (missing !== null)
      return refuses("release_missing", `effect \`${name}\` ${version} ${missing}; run \`countersign effect test ${name}\``);
  }
  return null;
}

function missingOf(
  effect: AnyEffect,
  { release, environment }: { release: Awaited<ReturnType<typeof newestRelease>>; environment: string },
): string | null {
  if (release === null) return "was never released";
  if (!release.environments.includes(environment)) return `was not released for environment \`${environment}\``;
  return release.definition === contractDigest(effect, sha256Digest) ? null : "was released under another definition";
}

function refuses(rule: string, reason: string): Refusal {
  return refusal("policy_refuses", rule, reason);
}
