import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { createHeadKeeper } from "../ledger/head.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { embeddedUrl } from "./embedded-url.ts";
import { print } from "./print.ts";

/** Recomputes every tenant's chain from the stored bytes and names the first bad entry; exit code 1 where one is found. */
export async function ledgerVerify({ tenant, directory: folder, json }: { tenant?: string; directory: string; json?: true }): Promise<void> {
  const directory = resolve(folder);
  const database = openDatabase({ url: await embeddedUrl(directory, "acting"), role: "acting", connections: 2 });
  try {
    const reports = await verifyAll({ database, tenant, directory });
    print({ json, value: { tenants: reports.map((one) => one.report) }, lines: reports.map((one) => one.line) });
    if (reports.some((one) => !one.holds)) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

async function verifyAll({ database, tenant, directory }: { database: Database; tenant: string | undefined; directory: string }) {
  const tenants = await database.tenants();
  if (tenant !== undefined && !tenants.includes(tenant)) throw new CountersignError("not_found", `there is no tenant \`${tenant.slice(0, 63)}\``);
  const headKeeper = createHeadKeeper({ directory: process.env["COUNTERSIGN_HEADS"] ?? `${directory}/heads` });
  const reports = [];
  for (const one of tenant === undefined ? tenants : [tenant]) {
    const report = await verifyLedger({ database, tenant: one, headKeeper });
    reports.push({ report, line: report.kind, holds: report.kind === "verified" });
  }
  return reports;
}
