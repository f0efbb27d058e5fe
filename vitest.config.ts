import { existsSync } from "node:fs";
import { defineConfig, type ViteUserConfig } from "vitest/config";

const postgres = "test/setup/postgres.ts";

/** Settings that `npm test` and `npm run test:crash` share; a JSON report is written in CI so that `.ci/run` can count. */
export function suite(name: string): NonNullable<ViteUserConfig["test"]> {
  return {
    pool: "forks",
    maxWorkers: 2,
    globalSetup: existsSync(new URL(postgres, import.meta.url)) ? [postgres] : [],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: `node_modules/.reports/${name}.json` }]] : ["default"],
  };
}

// The starter's own tests are for `node --test`, as in a project that `init` made; test/examples/starter.test.ts runs them.
const apart = ["examples/starter/**", "test/crash/**", "test/faults/**", "**/*.slow.test.ts", "**/node_modules/**"];

export default defineConfig({
  test: {
    ...suite("test"),
    projects: [
      // Units keep no state of their own, so a process serves one file after the other: its start is a third of their time.
      { extends: true, test: { name: "units", include: ["src/**/*.test.ts"], exclude: apart, isolate: false, globalSetup: [] } },
      { extends: true, test: { name: "houses", include: ["test/**/*.test.ts", "examples/**/*.test.ts"], exclude: apart } },
    ],
  },
});
