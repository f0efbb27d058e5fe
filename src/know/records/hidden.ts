import type { HiddenSearch } from "../../contract/ports.ts";
import type { DecisionMemory } from "./decision-memory.ts";

/** Shorter values stand in too many texts by chance. */
const shortest = 4;

/**
 * The values that a decision read and was not shown, where they stand in the texts of its output. A number counts where no digit stands beside
 * it. Values of fewer than four characters are not looked for.
 */
export function hiddenIn(memory: DecisionMemory, texts: HiddenSearch["texts"]): readonly string[] {
  const said = texts.join("\n");
  return [...memory.hidden].filter((value) =>
    stands(
      said,
      value
        .normalize("NFKC")
        .replace(/\p{Cf}/gu, "")
        .replace(/\s+/g, " ")
        .toLowerCase(),
    ),
  );
}

function stands(said: string, value: string): boolean {
  if (value.length < shortest) return false;
  if (!/^\d+(?:\.\d+)?$/.test(value)) return said.includes(value);
  for (let at = said.indexOf(value); at !== -1; at = said.indexOf(value, at + 1)) {
    const around = `${said[at - 1] ?? " "}${said[at + value.length] ?? " "}`;
    if (!/\d/.test(around)) return true;
  }
  return false;
}
