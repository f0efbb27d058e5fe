import type { SandboxFacts } from "../define/sandbox.ts";
import { declarePredicates, nameFactSource, writeFacts } from "../know/facts/write.ts";
import { openDatabase } from "../store/database.ts";

/** A sandbox has one version of what its predicates mean. */
const mapping = 1;

/**
 * Writes what a sandbox knows at the start, under the acting half's login (`url`). What stands there already, word for word, is not
 * written twice. Throws as the writing of facts does: `definition_invalid`, `bad_request`, `reference_time_invalid`.
 */
export async function keepSandboxFacts({ url, facts }: { url: string; facts: readonly SandboxFacts[] }): Promise<void> {
  if (facts.length === 0) return;
  const acting = openDatabase({ url, role: "acting", connections: 1 });
  try {
    for (const { tenant, source, predicates, facts: drafts } of facts)
      await acting.inTenant(tenant, async (tx) => {
        const place = { tx, tenant, source: source.name };
        await nameFactSource(place, source);
        await declarePredicates(place, { version: mapping, predicates });
        await writeFacts(place, { mapping, facts: drafts });
      });
  } finally {
    await acting.close();
  }
}
