import type { Database } from "../../store/database.ts";
import type { Seen } from "./examine.ts";
import type { FileRow } from "./plan-run.ts";
import { keyText, readShelf, type ShelvedDocument } from "./shelf.ts";
import { distrustFiles, readFileRows, type SourceKey } from "./source-rows.ts";

/**
 * Compares, after a run, what a source's files are with what the index holds: every file is known, every document of theirs is there with
 * as many passages as were filed, and nothing else is. Gives what is lost in words, `null` where nothing is; what is lost is filed
 * again by the next run.
 */
export async function checkRun(
  database: Database,
  { tenant, source, seen }: SourceKey & { seen: readonly Seen[] },
): Promise<string | null> {
  const key = { tenant, source };
  return database.inTenant(tenant, async (tx) => {
    const rows = await readFileRows(tx, key);
    const loss = lossOf({ rows, shelf: await readShelf(tx, key), seen });
    if (loss === null) return null;
    await distrustFiles(tx, { ...key, paths: loss.paths });
    return loss.detail;
  });
}

/** Pure part of the comparison. */
function lossOf({
  rows,
  shelf,
  seen,
}: {
  rows: readonly FileRow[];
  shelf: readonly ShelvedDocument[];
  seen: readonly Seen[];
}): { readonly detail: string; readonly paths: readonly string[] } | null {
  const known = new Set(rows.map(({ path }) => path));
  const unknown = seen.map((one) => (one.kind === "good" ? one.file.path : one.path)).filter((path) => !known.has(path));
  const shelved = new Map(shelf.map((one) => [keyText(one), one]));
  const wrong = rows.filter(({ document, passages, contentHash }) => {
    if (document === null) return false;
    const there = shelved.get(keyText(document));
    return there === undefined || there.passages !== passages || there.contentHash !== contentHash;
  });
  const expected = new Set(rows.flatMap(({ document }) => (document === null ? [] : [keyText(document)])));
  const stray = shelf.filter((one) => !expected.has(keyText(one)));
  const [file] = [...unknown, ...wrong.map(({ path }) => path)];
  const [document] = stray;
  if (file === undefined && document === undefined) return null;
  const what = file === undefined ? `the document \`${document?.id}\` is of no file` : `\`${file}\` is not filed as it was read`;
  const count = unknown.length + wrong.length + stray.length;
  return {
    detail: `the index does not hold what the folder does, in ${count} places; ${what}`,
    paths: wrong.map(({ path }) => path),
  };
}
