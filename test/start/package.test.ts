import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("`npm start` and the package's command begin with the file that an old Node can read", async () => {
  const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  expect(manifest.scripts.start).toBe("node bin/countersign.mjs start");
  expect(manifest.bin).toEqual({ countersign: "./bin/countersign.mjs" });
});
