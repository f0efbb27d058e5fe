#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say in one sentence what is wrong.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `countersign needs Node 22.18 or newer, this is ${process.versions.node}; within the project use \`npm start\` or \`npx countersign\``,
  );
  process.exit(1);
}
// Halves what each process needs to load. Beside the installed packages, so that only who may change those may change it.
module.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/countersign", import.meta.url)));
// The sources where they are, as in a checkout; what was built of them in a package.
const sources = new URL("../src/cli/main.ts", import.meta.url);
const { main } = await import(existsSync(sources) ? sources.href : "../dist/cli/main.js");
await main(process.argv);
