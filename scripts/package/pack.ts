/**
 * Before `npm pack`: builds `dist/` and puts the manifest of the published package in the place of ours, which is kept beside it.
 * After it: puts ours back. `node scripts/package/pack.ts before|after`.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "./build.ts";
import { publishedManifest } from "./manifest.ts";

const manifest = fileURLToPath(new URL("../../package.json", import.meta.url));
const kept = fileURLToPath(new URL("../../node_modules/.package.json.kept", import.meta.url));

function before(): void {
  // One that was interrupted left the published manifest behind.
  if (existsSync(kept)) after();
  build();
  const own = readFileSync(manifest, "utf8");
  writeFileSync(kept, own);
  writeFileSync(manifest, publishedManifest(own));
}

function after(): void {
  if (existsSync(kept)) renameSync(kept, manifest);
}

const steps: Readonly<Record<string, () => void>> = { before, after };
const step = steps[process.argv[2] ?? ""];
if (step === undefined) throw new Error("say `before` or `after`");
step();
