import { examine, type Remembered, type Seen } from "./examine.ts";
import { type Listing, listFiles } from "./list-files.ts";
import { Incomplete, type Running } from "./running.ts";

/** Lists a source's folder and looks at each file: what it is says nothing of a tenant, so it is done once for all. Throws `Incomplete`. */
export async function lookAtFolder({ folder, source, isStopping }: Running, remembered: Remembered): Promise<readonly Seen[]> {
  const { root, files, faults } = await listed(folder);
  const seen: Seen[] = faults.map((one) => ({ kind: "faulty", contentHash: null, ...one }));
  for (const file of files) {
    if (isStopping()) throw new Incomplete("it was stopped");
    seen.push(await examine({ root, file, source, remembered }));
  }
  return seen;
}

async function listed(folder: string): Promise<Listing> {
  try {
    return await listFiles(folder);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    throw new Incomplete(`its folder cannot be read (${code})`);
  }
}
