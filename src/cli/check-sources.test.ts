import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderSource } from "../define/folder-source.ts";
import { checkSources } from "./check-sources.ts";

test("names each source whose folder is not there: an error, and a hint where it may be there on another machine", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-sources-"));
  try {
    await mkdir(join(folder, "documents"));
    await writeFile(join(folder, "file"), "");
    const source = (name: string, place: string) =>
      folderSource({ name, folder: place, owner: "it", scopes: ["tenant:all"], freshWithinMs: 60_000, validFrom: "2026-01-01" });
    const sources = [
      ...[source("there", "documents"), source("missing", "dokuments"), source("file", "file")],
      ...[source("mounted", join(folder, "documents")), source("unmounted", join(folder, "elsewhere"))],
    ];
    const found = checkSources({ folder, project: { sources } }).map(({ level, about }) => [level, about]);
    expect(found).toEqual([
      ["error", "source `missing`"],
      ["error", "source `file`"],
      ["hint", "source `unmounted`"],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
