/**
 * For trying out alone: a system of record that stands for yours, and made-up people. Without this file `countersign start` makes no
 * demo: it takes credentials from its environment, and people from `countersign person add`.
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { defineSandbox } from "countersign";
import pg from "pg";

const tenant = "acme";
const sides = ["read", "write", "observe"] as const;

export default defineSandbox({
  tenants: [{ id: tenant, name: "Acme" }],
  people: [
    { tenant, id: "emp-101", name: "Ida Moss", roles: ["employee"] },
    { tenant, id: "emp-102", name: "Jon Vale", roles: ["employee"] },
    { tenant, id: "emp-201", name: "Ruth Lang", roles: ["employee", "approver"] },
    { tenant, id: "emp-301", name: "Dora Nyman", roles: ["employee", "owner"] },
  ],
  suggests: "Please renew the book about bees",
  install: async ({ adminUrl }) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    const urls: Record<string, string> = {};
    try {
      await client.query("begin");
      // Logins belong to the whole server, so two installations at once take turns.
      await client.query("lock table pg_catalog.pg_authid in share row exclusive mode");
      await client.query(await readFile(new URL("library.sql", import.meta.url), "utf8"));
      for (const side of sides) {
        const url = new URL(adminUrl);
        [url.username, url.password] = [`library_${side}`, randomBytes(24).toString("hex")];
        await client.query(`alter role ${url.username} password '${url.password}'`);
        urls[`LIBRARY_${side.toUpperCase()}_URL`] = url.href;
      }
      await client.query("commit");
    } finally {
      await client.end();
    }
    const { LIBRARY_READ_URL = "", ...acting } = urls;
    return { deciding: { LIBRARY_READ_URL }, acting };
  },
  // Nothing goes through without a person until an owner opens a slice; `npx countersign autonomy --help` says how it earns that.
  slices: [],
});
