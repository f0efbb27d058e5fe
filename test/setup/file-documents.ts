import { fileURLToPath } from "node:url";
import type { Project } from "../../src/define/project.ts";
import { createIngest } from "../../src/ingest.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { MigratedDatabase } from "./project-database.ts";

/** Files the documents of an example as its own reader of documents does; fails where one could not be filed. */
export async function fileExampleDocuments({
  project,
  example,
  store,
}: {
  project: Project;
  /** The folder's name below `examples`. */
  example: string;
  store: MigratedDatabase;
}): Promise<void> {
  const database = openDatabase({ url: store.urls.ingesting, role: "ingesting", connections: 2 });
  const projectFolder = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
  const faults: unknown[] = [];
  const onError = (thrown: unknown) => void faults.push(thrown);
  const ingest = createIngest({ project, projectFolder, database, clock: systemClock, onError });
  try {
    const reports = await ingest.runOnce();
    const isWell = reports.length > 0 && reports.every(({ isComplete, faults: ofFiles }) => isComplete && ofFiles.length === 0);
    if (!isWell) throw new Error(`the documents of ${example} are not filed: ${JSON.stringify(reports)} ${faults.map(String)}`);
  } finally {
    await ingest.stop();
    await database.close();
  }
}
