import type { ReleaseReport } from "../contract/release.ts";
import type { Tx } from "../store/database.ts";

/** The newest run of the release matrix over one version of an effect: whether it passed, and over what; `null` where it never ran. */
export async function newestRelease(
  tx: Tx,
  { effect, version }: { effect: string; version: string },
): Promise<Pick<ReleaseReport, "isPassed" | "definition" | "environments"> | null> {
  const row = await tx
    .selectFrom("release")
    .select(["passed", "definition", "environments"])
    .where("effect", "=", effect)
    .where("version", "=", version)
    .orderBy("n", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { isPassed: row.passed, definition: row.definition, environments: row.environments };
}
