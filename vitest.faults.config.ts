import { defineConfig } from "vitest/config";
import { suite } from "./vitest.config.ts";

export default defineConfig({
  test: { ...suite("faults"), include: ["test/faults/**/*.test.ts"], fileParallelism: false, testTimeout: 900_000 },
});
