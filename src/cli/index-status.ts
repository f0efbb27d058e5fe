import { type IndexStatus, readStatus, type SourceStatus } from "../ingest.ts";
import { type IndexOptions, tenantMeant, withIndex } from "./index-place.ts";
import { print } from "./print.ts";

/** Tells how far the index is behind its sources; exit code 1 where one is older than promised or its last run failed. */
export async function indexStatus(options: IndexOptions): Promise<void> {
  const tenants = await withIndex(options, async (database) => {
    const ids = options.tenant === undefined ? await database.tenants() : [await tenantMeant(database, options)];
    const found: TenantStatus[] = [];
    for (const tenant of ids) found.push({ tenant, ...(await database.inSnapshot(tenant, (tx) => readStatus(tx, { tenant }))) });
    return found;
  });
  print({
    json: options.json,
    value: { tenants },
    lines: tenants.length === 0 ? ["there is no tenant yet"] : tenants.flatMap(linesOf),
  });
  if (tenants.some(({ sources }) => sources.some((one) => one.isBehind || one.state === "failed"))) process.exitCode = 1;
}

type TenantStatus = IndexStatus & { readonly tenant: string };

function linesOf({ tenant, sources, byHand, vectors }: TenantStatus): string[] {
  const hand = byHand === 0 ? [] : [`${tenant}: ${byHand} documents were filed by hand`];
  if (sources.length + byHand === 0) return [`${tenant}: nothing is filed`];
  return [...sources.flatMap((one) => sourceLines(tenant, one)), ...hand, ...vectorLines(tenant, vectors)];
}

function vectorLines(tenant: string, vectors: IndexStatus["vectors"]): string[] {
  if (vectors === null) return [];
  const { embedder, passages, missing, fault } = vectors;
  const how = missing === 0 ? `all ${passages} passages have one` : `${missing} of ${passages} passages have none yet`;
  return [`${tenant}: vectors by ${embedder}: ${how}`, ...(fault === null ? [] : [`  none were given last: ${fault}`])];
}

function sourceLines(tenant: string, one: SourceStatus): string[] {
  const { source, state, detail, documents, passages, files, behindMs, promiseMs, isBehind, lagMs, progress, faults } = one;
  const age = behindMs === null ? "never complete" : `as of ${seconds(behindMs)} ago`;
  const lag = lagMs === null ? "" : `, last change filed within ${seconds(lagMs)}`;
  const promise = `${isBehind ? "BEHIND its promise of" : "promised"} ${seconds(promiseMs)}`;
  const page = progress?.page == null ? "" : `, page ${progress.page} of ${progress.pages}`;
  return [
    `${tenant}/${source}: ${state}, ${documents} documents and ${passages} passages of ${files} files, ${age}, ${promise}${lag}`,
    ...(detail === null ? [] : [`  not complete: ${detail}`]),
    ...(progress === null ? [] : [`  ${progress.done} of ${progress.total}: ${progress.path ?? ""}${page}`]),
    ...faults.map(({ path, fault, detail: why }) => `  not filed: ${path} (${fault}): ${why}`),
  ];
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
