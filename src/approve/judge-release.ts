import type { AnyEffect } from "../contract/effect.ts";
import { newestRelease } from "../ledger/releases.ts";
import type { Tx } from "../store/database.ts";
import type { Measure } from "./licence.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** The environment of the demo, in which an effect may be tried before it was released. */
const untested = "demo";

/**
 * Refuses what was not released: an effect whose newest run of the release matrix failed a cell goes through alone nowhere
 * (`release_failed`), one that never ran nowhere but in the demo (`release_missing`). `null` where nothing stands against it.
 */
export async function judgeRelease({
  tx,
  effects,
  measure: { environment },
}: {
  tx: Tx;
  effects: readonly Pick<AnyEffect, "name" | "version">[];
  measure: Pick<Measure, "environment">;
}): Promise<Refusal | null> {
  for (const { name, version } of effects) {
    const release = await newestRelease(tx, { effect: name, version });
    if (release?.isPassed === false)
      return refuses("release_failed", `effect \`${name}\` failed a cell when \`countersign effect test\` was last run`);
    if (release === null && environment !== untested)
      return refuses(
        "release_missing",
        `effect \`${name}\` ${version} was never released; run \`countersign effect test ${name}\``,
      );
  }
  return null;
}

function refuses(rule: string, reason: string): Refusal {
  return refusal("policy_refuses", rule, reason);
}
