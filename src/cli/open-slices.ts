import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../client/index.ts";
import { areSlicesOpen, type Installation } from "./installation.ts";
import { changeSettings } from "./settings.ts";

/** The people of the sandbox open its slices over HTTP, as anybody would: signed at the desk, written by the acting process. */
export async function openSlices({
  installation: { sandbox, settings, adminUrl },
  directory,
  url,
  signal,
}: {
  installation: Installation;
  directory: string;
  url: string;
  signal: AbortSignal;
}): Promise<void> {
  if (sandbox === null || settings.slicesOpened) return;
  // A start that was killed in between signs again at the next one: the same thresholds, signed twice.
  for (const { by, capability, slice, thresholdPpm } of sandbox.slices) {
    const person = settings.people.find((one) => one.id === by);
    if (person !== undefined)
      await createClient({ baseUrl: url, apiKey: person.key }).openSlice({ capability, slice, thresholdPpm });
  }
  const end = performance.now() + 10_000;
  while (performance.now() < end && !signal.aborted && !(await areSlicesOpen({ adminUrl, sandbox }))) await pause(50);
  await changeSettings(directory, (known) => ({ ...known, slicesOpened: true }));
}
