import { migrate } from "../store/migrate.ts";
import { withOwnerUrl } from "./embedded-url.ts";
import { makeDirectory } from "./make-directory.ts";
import { changeSettings } from "./settings.ts";

/** Does `work` with the owner's login on a database at the newest migration, also before the first start. */
export async function withOwner<T>(directory: string, work: (adminUrl: string) => Promise<T>): Promise<T> {
  await makeDirectory(directory);
  // Before the database: one without its settings would count as damaged.
  await changeSettings(directory, (known) => known);
  return withOwnerUrl(directory, async (adminUrl) => {
    await migrate({ adminUrl });
    return work(adminUrl);
  });
}
