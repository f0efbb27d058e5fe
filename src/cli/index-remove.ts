import { CountersignError } from "../contract/errors.ts";
import { library, removeByHand } from "../ingest.ts";
import { type IndexOptions, tenantMeant, withIndex } from "./index-place.ts";
import { print } from "./print.ts";

interface RemoveOptions extends IndexOptions {
  readonly version?: string;
  readonly source?: string;
}

/** Removes a document or all of a source, from the next query on. Throws `not_found`, or `bad_request` where it is not said which. */
export async function indexRemove(document: string | undefined, options: RemoveOptions): Promise<void> {
  const { version = null, source } = options;
  if ((document === undefined) === (source === undefined))
    throw new CountersignError("bad_request", "name either a document or a source with --source");
  const removed = await withIndex(options, async (database) => {
    const tenant = await tenantMeant(database, options);
    const which = source !== undefined ? { source } : { document: document ?? "", version };
    return removeByHand({ database, library }, { tenant, ...which });
  });
  if (removed.length === 0 && source === undefined)
    throw new CountersignError("not_found", "no such document is filed; see its id in a citation");
  const again = [...new Set(removed.flatMap((one) => one.source ?? []))];
  print({
    json: options.json,
    value: { removed },
    lines: [
      ...removed.map(({ id, version: which }) => `removed ${id}, version ${which}`),
      ...(removed.length === 0 ? ["no document of it was filed; it is forgotten"] : []),
      ...again.map((name) => `what is still in the folder of \`${name}\` is filed again while the project declares it`),
    ],
  });
}
