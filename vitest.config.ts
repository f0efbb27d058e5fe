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

export default defineConfig({
  test: {
    ...suite("test"),
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["test/crash/**", "test/faults/**", "**/*.slow.test.ts", "**/node_modules/**"],
  },
});
