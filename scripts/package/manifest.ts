import { z } from "zod";

const manifestForm = z.looseObject({
  private: z.boolean().optional(),
  scripts: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
  workspaces: z.unknown(),
  overrides: z.unknown(),
  allowScripts: z.unknown(),
  exports: z.record(z.string(), z.string()),
});

/** The manifest of the package as it is published: it leads to `dist/`, and holds nothing of how it is made. */
export function publishedManifest(text: string): string {
  const {
    private: _,
    workspaces: __,
    scripts: ___,
    devDependencies: ____,
    overrides: _____,
    allowScripts: ______,
    exports,
    ...rest
  } = manifestForm.parse(JSON.parse(text));
  const published = Object.entries(exports).map(([name, path]) => [name, publishedPath(path)]);
  return `${JSON.stringify({ ...rest, exports: Object.fromEntries(published) }, null, 2)}\n`;
}

function publishedPath(path: string): unknown {
  if (!path.startsWith("./src/")) return path;
  const built = path.replace("./src/", "./dist/").replace(/[.]ts$/, "");
  return { types: `${built}.d.ts`, default: `${built}.js` };
}
