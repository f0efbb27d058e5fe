import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context } from "hono";
import { CountersignError } from "../../contract/errors.ts";
import type { Routes } from "../routes.ts";
import { consolePaths } from "./console-paths.ts";
import { addPage, type Doors, sendPage } from "./doors.ts";
import { layout } from "./pages/layout.ts";
import { notice } from "./pages/notice.ts";

/** Where a built console stands: within the package, and beside the sources of a checkout. */
const places = ["../../console/", "../../../console/dist/"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** The folder of the built console with its code and styles, under names that say what is in them. */
const filesFolder = "console";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

const contentSecurityPolicy = [
  ...[
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'none'",
  ],
  ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
].join("; ");

/**
 * Adds the console: one page for each of its addresses, for whoever has signed in, and the files that the page names. They are read once, at
 * the start; no other file is looked at. Where no console was built, a page says how to build it.
 */
export function addConsole(routes: Routes, doors: Doors, folder: string = builtConsole()): void {
  const page = read(join(folder, "index.html"));
  const files = filesIn(join(folder, filesFolder));
  const rule = { doors, who: "account", scope: "read" } as const;
  for (const path of consolePaths)
    addPage(routes, { ...rule, path }, (context, session) =>
      page === null ? sendPage(context, notBuilt(session)) : sendConsole(context, page),
    );
  routes.open({ method: "GET", path: `/${filesFolder}/:file` }, (context) => {
    const name = context.req.param("file") ?? "";
    const file = files.get(name);
    if (file === undefined) throw new CountersignError("not_found", "the console has no such file; load its page again");
    context.header("content-type", types[extname(name)] ?? "application/octet-stream");
    // Another version has another name.
    context.header("cache-control", "public, max-age=31536000, immutable");
    return context.body(new Uint8Array(file));
  });
}

function sendConsole(context: Context, page: Buffer): Response {
  context.header("content-security-policy", contentSecurityPolicy);
  context.header("referrer-policy", "same-origin");
  context.header("cache-control", "no-store");
  return context.html(page.toString("utf8"));
}

function notBuilt({ name, token }: { readonly name: string; readonly token: string }) {
  const detail = "Build it with npm run console, and start the desk again. Command line and API do what the console does.";
  const content = notice({ mark: { name: "warning", tone: "wait" }, title: "The console was not built.", detail }, 1);
  return layout({ title: "Console", page: "notice", isDemo: false, person: { name, token } }, content);
}

function builtConsole(): string {
  return places.find((place) => existsSync(join(place, "index.html"))) ?? places[0] ?? "";
}

function read(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(found.map(({ name }) => [name, readFileSync(join(folder, name))]));
}
