import { defineConfig } from "vitest/config";
import { suite } from "./vitest.config.ts";

export default defineConfig({
  test: { ...suite("crash"), include: ["test/crash/**/*.test.ts"], fileParallelism: false, testTimeout: 900_000 },
});
