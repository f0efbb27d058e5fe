import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { databaseRoles } from "../../src/contract/words.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import { createMigratedDatabase, type MigratedDatabase } from "./project-database.ts";

/**
 * A migrated database whose server has pgvector: one of the server that COUNTERSIGN_TEST_PGVECTOR_URL names, else PostgreSQL in this process
 * (PGlite) with its build of the extension. PGlite knows one session and no logins: every role is its owner there, and no row policy binds.
 */
export async function createPgvectorDatabase(): Promise<MigratedDatabase> {
  const server = process.env["COUNTERSIGN_TEST_PGVECTOR_URL"];
  if (server !== undefined && server !== "") return createMigratedDatabase(server);
  const database = await PGlite.create({ extensions: { vector } });
  const socket = new PGLiteSocketServer({ db: database, host: "127.0.0.1", port: 0, maxConnections: 8 });
  await socket.start();
  const adminUrl = `postgres://postgres:-@${socket.getServerConn()}/postgres`;
  await migrate({ adminUrl });
  await database.exec("insert into countersign.tenant (id, name) values ('acme', 'Acme'), ('globex', 'Globex')");
  await database.exec("set search_path = countersign, public");
  return {
    adminUrl,
    urls: databaseUrls(adminUrl),
    async drop() {
      await socket.stop();
      await database.close();
    },
  };
}

function databaseUrls(adminUrl: string): MigratedDatabase["urls"] {
  const urls = databaseRoles.map((role) => [role, roleUrl({ adminUrl, role, password: "-" })]);
  return Object.fromEntries(urls);
}
