import { existsSync } from "node:fs";
import { CountersignError } from "../contract/errors.ts";
import { folderSource } from "../define/folder-source.ts";
import { fileByHand, type HandReport, library, openParser } from "../ingest.ts";
import { type IndexOptions, tenantMeant, withIndex } from "./index-place.ts";
import { print } from "./print.ts";

interface AddOptions extends IndexOptions {
  readonly owner: string;
  readonly scopes: string;
  readonly collection: string;
  readonly status: "current" | "draft" | "archived";
  readonly authority?: true;
  readonly validFrom?: string;
  readonly validTo?: string;
}

/** Files a document or a folder once; exit code 1 where a file could not be filed. Throws `bad_request` for a path that is not there. */
export async function indexAdd(path: string, options: AddOptions): Promise<void> {
  if (!existsSync(path)) throw new CountersignError("bad_request", `there is no file or folder \`${path}\``);
  const defaults = defaultsOf(options);
  const parser = openParser();
  try {
    const files = await withIndex(options, async (database) =>
      fileByHand({ database, library, parser }, { tenant: await tenantMeant(database, options), path, defaults }),
    );
    const isWell = files.length > 0 && files.every(({ kind }) => kind === "filed");
    print({
      json: options.json,
      value: { files },
      lines: files.length === 0 ? ["there is no file to be filed"] : files.map(lineOf),
    });
    if (!isWell) process.exitCode = 1;
  } finally {
    parser.close();
  }
}

/** What is right of a source is right of what is filed by hand. */
function defaultsOf({ owner, scopes, collection, status, authority, validFrom, validTo }: AddOptions) {
  const labels = scopes.split(",").map((label) => label.trim());
  try {
    return folderSource({
      ...{ name: "by-hand", folder: ".", owner, collection, status, isAuthority: authority === true, freshWithinMs: 1_000 },
      scopes: labels.filter((label) => label !== ""),
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validTo === undefined ? {} : { validTo }),
    });
  } catch (thrown) {
    const what = thrown instanceof Error ? thrown.message.replace("the source `by-hand`: ", "") : "an option cannot be used";
    throw new CountersignError("bad_request", what, { cause: thrown });
  }
}

function lineOf(one: HandReport): string {
  if (one.kind === "faulty") return `${one.path}: not filed (${one.fault}): ${one.detail}`;
  return `${one.path}: filed as ${one.id}, version ${one.version}, ${one.passages} ${one.passages === 1 ? "passage" : "passages"}`;
}
