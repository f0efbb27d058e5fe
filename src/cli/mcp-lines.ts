import type { Json } from "../contract/json.ts";
import { type McpDefinition, mcpDefinitionKeys } from "../contract/mcp.ts";

/** Lines of a member that stay the same around one that does not. */
const around = 2;
/** Longest member that is compared line by line; a longer one is shown as gone and new. */
const mostLines = 2_000;

/**
 * What differs between two definitions, a block a member: lines that went with `-`, lines that came with `+`. What would steer a terminal,
 * hide text or turn it around is written out as its code point.
 */
export function definitionLines(accepted: McpDefinition | null, shown: McpDefinition): readonly string[] {
  return mcpDefinitionKeys.flatMap((key) => {
    const [before, after] = [linesOf(accepted?.[key]), linesOf(shown[key])];
    if (before.join("\n") === after.join("\n")) return [];
    return [`  ${key}:`, ...changedLines(before, after).map((line) => `    ${line}`)];
  });
}

/** Characters that steer a terminal, hide text or turn it around, and what is none: none of them stands for itself. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu;

/** A line of a server's as a person can read all of it. */
function visible(text: string): string {
  return text.replace(invisible, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

function linesOf(member: Json | undefined): readonly string[] {
  if (member === undefined) return [];
  return (typeof member === "string" ? member : JSON.stringify(member, null, 2)).split("\n").map(visible);
}

function changedLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const marked = before.length + after.length > mostLines ? replaced(before, after) : compared(before, after);
  const isNear = (place: number) =>
    marked.slice(Math.max(0, place - around), place + around + 1).some((line) => !line.startsWith(" "));
  return marked.flatMap((line, place) => {
    if (isNear(place)) return [line];
    return isNear(place - 1) || place === 0 ? ["  ..."] : [];
  });
}

function replaced(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...before.map((line) => `- ${line}`), ...after.map((line) => `+ ${line}`)];
}

/** The longest common lines stay. The table of their lengths is filled from the end, so that the walk goes forwards. */
function compared(before: readonly string[], after: readonly string[]): readonly string[] {
  const common = commonLines(before, after);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [gone, come] = [before[i], after[j]];
    if (gone === come) {
      lines.push(`  ${gone}`);
      i += 1;
      j += 1;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push(`- ${gone}`);
      i += 1;
    } else {
      lines.push(`+ ${come}`);
      j += 1;
    }
  }
  return [...lines, ...replaced(before.slice(i), after.slice(j))];
}

/** For each place in both, how many lines the rest of them has in common. */
function commonLines(before: readonly string[], after: readonly string[]): readonly Uint16Array[] {
  const common = [...before, ""].map(() => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const [row, below] = [common[i], common[i + 1]];
    for (let j = after.length - 1; row !== undefined && j >= 0; j -= 1)
      row[j] = before[i] === after[j] ? (below?.[j + 1] ?? 0) + 1 : Math.max(below?.[j] ?? 0, row[j + 1] ?? 0);
  }
  return common;
}
