import { defineConfig } from "vite";

// `npm run console:watch` serves the sources and passes everything else on to a running desk.
const desk = process.env["COUNTERSIGN_DESK_URL"] ?? "http://127.0.0.1:4600";
const ofTheDesk = ["/v1", "/sign-in", "/sign-out", "/assets/", "/reference", "/healthz"];

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: "dist",
    assetsDir: "console",
    emptyOutDir: true,
    target: "es2023",
    // Nothing stands inside a style sheet or a page: the content security policy names our own files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: {
      onwarn: (warning, warn) => {
        // React's packages say where a server would hand over to a browser; here everything is the browser's.
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: Object.fromEntries(ofTheDesk.map((path) => [path, { target: desk, changeOrigin: true, headers: { origin: desk } }])),
  },
});
