import { readFileSync } from "node:fs";
import type { Routes } from "../routes.ts";
import { styleSheets } from "./pages/layout.ts";

const files: readonly { name: string; type: string }[] = [
  ...styleSheets.map((name) => ({ name: `${name}.css`, type: "text/css; charset=utf-8" })),
  { name: "mark.svg", type: "image/svg+xml" },
];

/** Adds the style sheets and the icon of the plain pages: files of this folder, read once; no other path is looked at. */
export function addAssets(routes: Routes): void {
  for (const { name, type } of files) {
    const text = readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8");
    routes.open({ method: "GET", path: `/assets/${name}` }, (context) => {
      context.header("content-type", type);
      // A newer version may follow at the same address.
      context.header("cache-control", "no-cache");
      return context.body(text);
    });
  }
}
