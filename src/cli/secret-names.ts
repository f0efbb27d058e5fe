import type { DecidingParts } from "../define/deciding.ts";
import type { Hands } from "../worker.ts";
import { loadEntry } from "./load.ts";

/** Prints the names of the secrets that one half of a project declares. Runs in a process of its own, which loads that half alone. */
export async function secretNames(side: "deciding" | "acting", { project }: { project: string }): Promise<void> {
  console.log(JSON.stringify(side === "deciding" ? await decidingNames(project) : await actingNames(project)));
}

async function decidingNames(project: string) {
  const { decidingSecrets, realProviders, withoutBoundary } = await import("./deciding-secrets.ts");
  const parts = await loadEntry<DecidingParts>(project, "decide");
  return { ...decidingSecrets(parts), realProviders: realProviders(parts), withoutBoundary: withoutBoundary(parts) };
}

async function actingNames(project: string) {
  const { secretsOf } = await import("../worker.ts");
  return secretsOf(await loadEntry<Hands>(project, "hands"));
}
