/**
 * Before `npm pack`: builds `dist/` and puts the manifest of the published package in the place of ours, which is kept beside it.
 * After it: puts ours back. `node scripts/package/pack.ts before|after`.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
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

/** Ours goes back only where the published one stands; where somebody has edited that since, they say what is right. */
function after(): void {
  if (!existsSync(kept)) return;
  const isPublished = readFileSync(manifest, "utf8") === publishedManifest(readFileSync(kept, "utf8"));
  if (!isPublished)
    throw new Error(
      `${manifest} was edited while the published manifest stood there; ours is ${kept}: put them together, and remove it`,
    );
  renameSync(kept, manifest);
}

const steps: Readonly<Record<string, () => void>> = { before, after };
const step = steps[process.argv[2] ?? ""];
if (step === undefined) throw new Error("say `before` or `after`");
step();
