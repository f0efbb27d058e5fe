import { readFileSync } from "node:fs";

/** The version of the product, as its package says. */
export const ownVersion: string = versionIn(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

function versionIn(manifest: string): string {
  const { version } = JSON.parse(manifest) as { version: string }; // our own file
  return version;
}
