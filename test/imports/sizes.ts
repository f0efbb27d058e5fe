import type { Source } from "./sources.ts";
import { asNode, listOf, parse, type SyntaxNode, walk } from "./syntax.ts";

// Lines a file may have, and lines a function may have.
const limits = { file: 300, function: 70 } as const;

const functions = new Set([
  ...["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "ClassMethod", "PrivateMethod"],
  ...["Constructor", "MethodProperty", "GetterProperty", "SetterProperty"],
]);

/** Names the file, and each function in it, that is longer than the limits. */
export function findOversized({ path, text }: Source): string[] {
  const { root, lines } = parse(text, { isTsx: path.endsWith(".tsx") });
  const file = text.replace(/\n$/, "").split("\n").length;
  const suites = suiteBodies(root);
  const long = [...walk(root)]
    .filter((node) => functions.has(node.type) && !suites.has(node))
    .map((node) => lines(node))
    .filter((place) => place !== null && place.last - place.first + 1 > limits.function)
    .map((place) => `${path}:${place?.first} is a function of ${(place?.last ?? 0) - (place?.first ?? 0) + 1} lines`);
  return file > limits.file ? [`${path} has ${file} lines`, ...long] : long;
}

// `describe` holds a list of tests; each test is a function of its own.
function suiteBodies(root: SyntaxNode): ReadonlySet<SyntaxNode> {
  const calls = [...walk(root)].filter(
    (node) => node.type === "CallExpression" && asNode(node["callee"])?.["value"] === "describe",
  );
  const bodies = calls.flatMap((call) => listOf(call["arguments"])).map((argument) => asNode(Object(argument).expression));
  return new Set(bodies.filter((body) => body !== null));
}
