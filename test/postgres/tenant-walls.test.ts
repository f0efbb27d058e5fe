import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DatabaseRole, databaseRoles } from "../../src/contract/words.ts";
import { House } from "./acting/house.ts";

// Row-level security per tenant is the second wall: behind every query of ours, and tried here by hand, as code in one of our processes
// that forgot its `where`, or never had one.

interface Table {
  readonly name: string;
  /** `null` for a table that holds no tenant's data. */
  readonly tenantColumn: string | null;
}

let house: House;
let logins: Readonly<Record<DatabaseRole, pg.Pool>>;
let tables: readonly Table[];
let withForeignRows: ReadonlySet<string>;

beforeAll(async () => {
  house = await House.build();
  const { deciding, desk, acting, ingesting } = house.store.urls;
  const login = (url: string) => new pg.Pool({ connectionString: url, max: 1 });
  logins = { deciding: login(deciding), desk: login(desk), acting: login(acting), ingesting: login(ingesting) };
  // Rows of the other tenant in as many tables as a decision and its operation fill.
  await house.decide({ tenant: "globex", changes: [house.add("walls-auto")], route: "auto" });
  await house.decide({ tenant: "globex", changes: [house.add("walls-person")], route: "hitl_required" });
  const worker = house.worker();
  await worker.runOnce();
  await worker.runOnce();
  await house.admin.query(
    "insert into countersign.account (tenant, id, kind, name, roles) values ('globex', 'gina', 'person', 'G', '{owner}')",
  );
  tables = await tablesOf(house.admin);
  const filled = await Promise.all(
    tables.map(async (table) => ((await foreignRows(house.admin, table)) > 0 ? [table.name] : [])),
  );
  withForeignRows = new Set(filled.flat());
});
afterAll(async () => {
  await Promise.all(Object.values(logins).map((pool) => pool.end()));
  await house?.close();
});

/** What holds no tenant's data, with the reason. */
const ofNoTenant: Readonly<Record<string, string>> = {
  migration: "which files ran",
  invitation: "the first owner's, before there is a tenant",
};
/** A row of its own tenant's that everybody lists, to know whose work to look for. */
const listed: ReadonlySet<string> = new Set(["tenant"]);

describe("a transaction that has named one tenant", () => {
  test("there are rows of the other tenant to be kept from it", () => {
    for (const name of ["entry", "payload", "waiting", "seal", "account"])
      expect(withForeignRows).toContain(`countersign.${name}`);
  });

  test("every table that holds a tenant's data has row-level security", async () => {
    const { rows } = await house.admin.query<{ name: string; secured: boolean }>(
      "select relname as name, relrowsecurity as secured from pg_class where relnamespace = 'countersign'::regnamespace and relkind in ('r', 'p')",
    );
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter(({ name, secured }) => !secured && !(name in ofNoTenant) && !listed.has(name))).toEqual([]);
  });

  test("no role owns a table or passes row-level security by", async () => {
    const { rows } = await house.admin.query(
      `select rolname from pg_roles where rolname = any ($1) and (rolsuper or rolbypassrls
        or exists (select from pg_class where relowner = pg_roles.oid and relnamespace = 'countersign'::regnamespace))`,
      [[...databaseRoles]],
    );
    expect(rows).toEqual([]);
  });

  describe.each([...databaseRoles])("as %s", (role) => {
    test("reads no row of another tenant, nor counts one", async () => {
      const seen = await attempts(
        role,
        "acme",
        (table) => `select count(*)::int as n from ${table.name} where ${table.tenantColumn} = 'globex'`,
      );
      expect(seen.filter(({ n }) => n !== 0)).toEqual([]);
      expect(seen.filter(({ refused }) => !refused).length).toBeGreaterThan(8);
    });

    test("reads nothing at all where no tenant was named", async () => {
      const seen = await attempts(role, null, (table) => `select count(*)::int as n from ${table.name}`);
      expect(seen.filter(({ n }) => n !== 0)).toEqual([]);
    });

    test("changes and removes none", async () => {
      for (const table of tenantTables()) {
        const columns = await columnsOf(role, table, "UPDATE");
        const setting = columns[0] === undefined ? table.tenantColumn : columns[0];
        await expectNothing(
          role,
          table,
          `update ${table.name} set ${setting} = ${setting} where ${table.tenantColumn} = 'globex'`,
        );
        await expectNothing(role, table, `delete from ${table.name} where ${table.tenantColumn} = 'globex'`);
      }
    });

    test("adds none", async () => {
      for (const table of tenantTables()) {
        const columns = await columnsOf(role, table, "INSERT");
        const named = columns.includes(table.tenantColumn ?? "") ? columns : [table.tenantColumn ?? "", ...columns];
        const text = `insert into ${table.name} (${named.join(", ")}) select ${named.join(", ")} from jsonb_populate_record(null::${table.name}, '{"${table.tenantColumn}": "globex"}')`;
        const answer = await attempt(role, "acme", text);
        // Refused by a grant or a row policy, before any constraint is looked at.
        expect({ table: table.name, code: answer.code }).toEqual({ table: table.name, code: "42501" });
      }
    });
  });
});

function tenantTables(): readonly Table[] {
  return tables.filter(({ tenantColumn, name }) => tenantColumn !== null && !listed.has(name.replace("countersign.", "")));
}

async function tablesOf(admin: pg.Pool): Promise<readonly Table[]> {
  const { rows } = await admin.query<{ name: string; tenant: string | null }>(
    `select relname as name, (select attname from pg_attribute where attrelid = pg_class.oid and attname = 'tenant') as tenant
    from pg_class where relnamespace = 'countersign'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  return rows.map(({ name, tenant }) => ({ name: `countersign.${name}`, tenantColumn: tenant }));
}

async function foreignRows(admin: pg.Pool, { name, tenantColumn }: Table): Promise<number> {
  if (tenantColumn === null) return 0;
  const { rows } = await admin.query<{ n: number }>(`select count(*)::int as n from ${name} where ${tenantColumn} = 'globex'`);
  return rows[0]?.n ?? 0;
}

async function columnsOf(role: DatabaseRole, { name }: Table, privilege: "INSERT" | "UPDATE"): Promise<readonly string[]> {
  const { rows } = await house.admin.query<{ attname: string }>(
    `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
      and attidentity <> 'a' and has_column_privilege($2, attrelid, attnum, $3) order by attnum`,
    [name, role, privilege],
  );
  return rows.map(({ attname }) => attname);
}

async function attempts(role: DatabaseRole, tenant: string | null, text: (table: Table) => string) {
  const results: { name: string; n: number; refused: boolean }[] = [];
  for (const table of tenantTables()) {
    const { rows, code } = await attempt(role, tenant, text(table));
    if (code !== null && code !== "42501") throw new Error(`${table.name}: ${code}`);
    results.push({ name: table.name, n: (rows[0] as { n: number } | undefined)?.n ?? 0, refused: code !== null });
  }
  return results;
}

async function expectNothing(role: DatabaseRole, table: Table, text: string): Promise<void> {
  const { count, code } = await attempt(role, "acme", text);
  expect({ table: table.name, count, isRefused: code === null || code === "42501" }).toEqual({
    table: table.name,
    count: 0,
    isRefused: true,
  });
}

/** One statement in a transaction of a role that named a tenant; rolled back. */
async function attempt(
  role: DatabaseRole,
  tenant: string | null,
  text: string,
): Promise<{ rows: readonly unknown[]; count: number; code: string | null }> {
  const client = await logins[role].connect();
  try {
    await client.query("begin");
    if (tenant !== null) await client.query("select set_config('countersign.tenants', $1, true)", [tenant]);
    const { rows, rowCount } = await client.query(text);
    return { rows, count: rowCount ?? 0, code: null };
  } catch (thrown) {
    return { rows: [], count: 0, code: (thrown as { code?: string }).code ?? "none" };
  } finally {
    await client.query("rollback");
    client.release();
  }
}
