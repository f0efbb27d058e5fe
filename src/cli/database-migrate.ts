import { CountersignError } from "../contract/errors.ts";
import { migrate } from "../store/migrate.ts";

/** Migrates the database at `DATABASE_URL`, the owner's login. Roles get no password here: set them by your own means. */
export async function migrateDatabase({ json }: { json?: true }): Promise<void> {
  const adminUrl = process.env["DATABASE_URL"];
  if (adminUrl === undefined || adminUrl === "") {
    throw new CountersignError(
      "configuration_invalid",
      "`DATABASE_URL` is not set; give the owner's URL of the database to migrate",
    );
  }
  const applied = await migrate({ adminUrl });
  if (json === true) console.log(JSON.stringify({ applied }));
  else console.log(applied.length === 0 ? "the database is at the newest migration" : `applied ${applied.join(", ")}`);
}
