/**
 * Before `npm pack`: builds `dist/` and puts the manifest of the published package in the place of ours, which is kept beside it.
 * After it: puts ours back. `node scripts/package/pack.ts before|after`.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "./build.ts";
import { publishedManifest } from "./manifest.ts";

const manifest = fileURLToPath(new URL("../../package.json", import.meta.url));
const kept = fileURLToPath(new URL("../../.package.json.kept", import.meta.url));

function before(): void {
  after();
  build();
  const own = readFileSync(manifest, "utf8");
  writeFileSync(kept, own);
  writeFileSync(manifest, publishedManifest(own));
}

/** Ours goes back only where the published one stands: one that somebody has edited since is theirs. */
function after(): void {
  if (!existsSync(kept)) return;
  const isPublished = readFileSync(manifest, "utf8") === publishedManifest(readFileSync(kept, "utf8"));
  if (isPublished) renameSync(kept, manifest);
  else rmSync(kept);
}

const steps: Readonly<Record<string, () => void>> = { before, after };
const step = steps[process.argv[2] ?? ""];
if (step === undefined) throw new Error("say `before` or `after`");
step();
