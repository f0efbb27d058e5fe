import { defineConfig } from "vitest/config";
import { suite } from "./vitest.config.ts";

export default defineConfig({ test: { ...suite("slow"), include: ["test/**/*.slow.test.ts", "examples/**/*.slow.test.ts"] } });
