import { readFileSync } from "node:fs";
import type { Hono } from "hono";

const files = {
  "desk.css": "text/css; charset=utf-8",
  "desk.js": "text/javascript; charset=utf-8",
  "mark.svg": "image/svg+xml",
} as const;

/** Adds the pages' style sheet, script and icon: three files of this folder, read once; no other path is looked at. */
export function addAssets(app: Hono): void {
  for (const [name, type] of Object.entries(files)) {
    const text = readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8");
    app.get(`/assets/${name}`, (context) => {
      context.header("content-type", type);
      // A newer version may follow at the same address.
      context.header("cache-control", "no-cache");
      return context.body(text);
    });
  }
}
