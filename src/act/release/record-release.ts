import { canonicalJson } from "../../contract/json.ts";
import type { Ids } from "../../contract/ports.ts";
import type { ReleaseReport } from "../../contract/release.ts";
import type { Tx } from "../../store/database.ts";

/** Keeps a run of the release matrix; the newest of an effect's version is what policy goes by. Returns its id. */
export async function recordRelease(tx: Tx, report: ReleaseReport, ids: Ids): Promise<string> {
  const { effect, version, environments, definition, isPassed: passed, cells } = report;
  const id = ids.next();
  await tx
    .insertInto("release")
    .values({
      ...{ id, effect, version, environments: [...environments], definition, passed },
      cells: canonicalJson(cells.map((cell) => ({ ...cell }))),
    })
    .execute();
  return id;
}
