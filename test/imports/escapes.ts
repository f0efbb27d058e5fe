import { readHouseTable } from "./house-table.ts";
import { asNode, listOf, parse, type SyntaxNode, walk } from "./syntax.ts";

/** A way around the import rules or around a brand, with its line. */
export interface Escape {
  readonly line: number;
  readonly what: string;
}

const brandMakers: Readonly<Record<string, RegExp>> = {
  Approved: /^src\/approve\/verify[.]ts$/,
  Encoded: /^src\/guard\/privacy\//,
};

// The embedded database asks where npm put PostgreSQL's programs for this platform; what it resolves it starts, and never imports.
const loaders = /^src\/(cli\/load[.]ts$|store\/embedded\/)/;

/** Finds computed imports, code made from text, reaches for the global object and casts to a brand in a file at `path`. */
export function findEscapes({ path, text }: { path: string; text: string }): Escape[] {
  const { root, lines } = parse(text);
  const renamed = renamedBrands(root);
  return [...walk(root)].flatMap((node) =>
    [
      computedImport(node, path),
      textAsCode(node),
      loader(node, path),
      globalObject(node, path),
      brandCast({ node, path, renamed }),
    ]
      .filter((what) => what !== null)
      .map((what) => ({ line: lines(node)?.first ?? 0, what })),
  );
}

/** Every module that a file names: static, dynamic, re-exported, required, and in `import("x")` types. */
export function namedModules(text: string): string[] {
  const names = [...walk(parse(text).root)].flatMap((node) => {
    if (isCallOf(node, "import") || isCallOf(node, "require")) return [literal(firstArgument(node))];
    if (/^(Import|Export(All|Named)?)Declaration$/.test(node.type)) return [literal(asNode(node["source"]))];
    if (node.type === "TsImportType") return [literal(asNode(node["argument"]))];
    return node.type === "TsExternalModuleReference" ? [literal(asNode(node["expression"]))] : [];
  });
  return names.filter((name) => name !== null);
}

function computedImport(node: SyntaxNode, path: string): string | null {
  if (node.type === "TsImportType") return "import type in an expression; write `import type` at the head of the file";
  if (!isCallOf(node, "import") || literal(firstArgument(node)) !== null) return null;
  return path === "src/cli/load.ts" ? null : "computed import";
}

function textAsCode(node: SyntaxNode): string | null {
  if (isVariable(node, "eval")) return "eval";
  const called = node.type === "NewExpression" || node.type === "CallExpression" ? asNode(node["callee"]) : null;
  return called && isVariable(called, "Function") ? "Function" : null;
}

function loader(node: SyntaxNode, path: string): string | null {
  if (loaders.test(path)) return null;
  if (isVariable(node, "require") || isVariable(node, "createRequire")) return `${String(node["value"])}`;
  const property = node.type === "MemberExpression" ? asNode(node["property"])?.["value"] : null;
  return property === "getBuiltinModule" || property === "createRequire" ? property : null;
}

function globalObject(node: SyntaxNode, path: string): string | null {
  const { pure, pattern } = readHouseTable().houseTable;
  return isVariable(node, "globalThis") && pure.some((place) => new RegExp(pattern(place)).test(path)) ? "globalThis" : null;
}

function brandCast(cast: { node: SyntaxNode; path: string; renamed: ReadonlyMap<string, string> }): string | null {
  const type = asNode(cast.node["typeAnnotation"]);
  if (!["TsAsExpression", "TsTypeAssertion"].includes(cast.node.type) || !type) return null;
  for (const { type: kind, typeName } of walk(type)) {
    const name = String(kind === "TsTypeReference" ? (asNode(typeName)?.["value"] ?? "") : "");
    const brand = cast.renamed.get(name) ?? name;
    if (brandMakers[brand] && !brandMakers[brand].test(cast.path)) return `cast to ${brand}`;
  }
  return null;
}

// `import { Approved as A }` would hide a cast behind another name.
function renamedBrands(root: SyntaxNode): ReadonlyMap<string, string> {
  const specifiers = [...walk(root)].filter(({ type }) => type === "ImportSpecifier");
  return new Map(
    specifiers.flatMap(({ local, imported }) => {
      const from = asNode(imported)?.["value"];
      const to = asNode(local)?.["value"];
      return typeof from === "string" && typeof to === "string" && brandMakers[from] ? [[to, from]] : [];
    }),
  );
}

function isCallOf(node: SyntaxNode, name: string): boolean {
  const callee = node.type === "CallExpression" ? asNode(node["callee"]) : null;
  return callee !== null && (name === "import" ? callee.type === "Import" : callee["value"] === name);
}

function firstArgument(call: SyntaxNode): SyntaxNode | null {
  const first = listOf(call["arguments"])[0];
  return typeof first === "object" && first !== null && "expression" in first ? asNode(first.expression) : null;
}

function literal(node: SyntaxNode | null): string | null {
  if (node?.type === "StringLiteral") return String(node["value"]);
  const only =
    node?.type === "TemplateLiteral" && listOf(node["expressions"]).length === 0 ? asNode(listOf(node["quasis"])[0]) : null;
  return only ? String(only["cooked"]) : null;
}

// A variable has a binding context; the name of a property has none.
function isVariable(node: SyntaxNode, name: string): boolean {
  return node.type === "Identifier" && node["value"] === name && "ctxt" in node;
}
