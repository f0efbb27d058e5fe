import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMigratedDatabase, type MigratedDatabase } from "../../setup/project-database.ts";

let store: MigratedDatabase;
let client: pg.Client;
beforeAll(async () => {
  store = await createMigratedDatabase();
  client = new pg.Client({ connectionString: store.urls.ingesting, options: "-c search_path=countersign" });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await store.drop();
});

test("the role that files documents reads and writes the index and its sources, and nothing else of an installation", async () => {
  const { rows } = await client.query<{ name: string; rights: string }>(
    `select relname as name, concat_ws(' ', case when has_any_column_privilege(oid, 'select') then 'reads' end,
        case when has_any_column_privilege(oid, 'insert') or has_any_column_privilege(oid, 'update')
          or has_table_privilege(oid, 'delete') or has_table_privilege(oid, 'truncate') then 'writes' end) as rights
      from pg_class where relnamespace = 'countersign'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by relname collate "C"`,
  );
  const held = rows.filter(({ rights }) => rights !== "");
  const index = [
    "audience",
    "audience_label",
    "audience_term",
    "collection",
    "document",
    "embedding",
    "passage",
    "passage_vector",
    "posting",
  ];
  expect(held).toEqual([
    ...[...index, "source", "source_file"].map((name) => ({ name, rights: "reads writes" })),
    { name: "tenant", rights: "reads" },
  ]);
  expect(rows.length).toBeGreaterThan(held.length + 15);
});

test("it may call none of the functions that look past the row policies", async () => {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'countersign'::regnamespace and prosecdef
      and has_function_privilege(oid, 'execute') and prorettype <> 'trigger'::regtype`,
  );
  expect(rows).toEqual([]);
});

test("what decides sees how its sources are, and can change nothing of them or of the index", async () => {
  const deciding = new pg.Client({ connectionString: store.urls.deciding, options: "-c search_path=countersign" });
  await deciding.connect();
  try {
    await deciding.query("select set_config('countersign.tenants', 'acme', false)");
    expect((await deciding.query("select name from source")).rows).toEqual([]);
    for (const text of ["update source set promise_ms = 1", "delete from document", "insert into source_file values ('acme')"])
      await expect(deciding.query(text), text).rejects.toMatchObject({ code: "42501" });
  } finally {
    await deciding.end();
  }
});
