import { readFile } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";
import { analyze, type RedundancyOptions, savings, segments } from "../know/redundancy/analyze.ts";
import type { NamedText, RedundancyUnit } from "../know/redundancy/tokens.ts";
import { wholeOf } from "./amounts.ts";
import { print } from "./print.ts";

interface RedundancyCommand {
  readonly unit: RedundancyUnit;
  readonly run: string;
  readonly json?: true;
}

/** Looks files through for what they say more than once. Throws `bad_request` for a file that cannot be read, and for a run of no length. */
export async function redundancy(what: string, files: readonly string[], { unit, run, json }: RedundancyCommand): Promise<void> {
  const n = wholeOf("--run", run, 999);
  const texts = await Promise.all(files.map(readText));
  const options = { unit, n };
  print({ json, ...tellings[what as keyof typeof tellings](texts, options) }); // one of the three that are declared
}

type Telling = (texts: readonly NamedText[], options: RedundancyOptions) => { value: unknown; lines: readonly string[] };

const tellings: Readonly<Record<"analyze" | "segments" | "savings", Telling>> = {
  analyze: (texts, options) => {
    const found = analyze(texts, options);
    const lines = found.texts.map(
      ({ id, sharePpm, isFlagged }) => `${id}: ${percent(sharePpm)}${isFlagged ? ", mostly said before" : ""}`,
    );
    return { value: found, lines: [...lines, `all together: ${percent(found.sharePpm)}`] };
  },
  segments: (texts, options) => {
    const found = segments(texts, options);
    const lines = found.map(
      ({ id, from, to, of, tokens }) => `${id} ${from}-${to}: ${tokens} as in ${of.id} ${of.from}-${of.to}`,
    );
    return { value: { segments: found }, lines: lines.length === 0 ? ["nothing is said twice"] : lines };
  },
  savings: (texts, options) => {
    const found = savings(texts, options);
    return {
      value: found,
      lines: [`${found.bytes} of ${found.totalBytes} bytes, about ${found.tokens} of ${found.totalTokens} tokens`],
    };
  },
};

async function readText(path: string): Promise<NamedText> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new CountersignError("bad_request", `the file \`${path.slice(0, 200)}\` cannot be read`, { cause });
  });
  return { id: path, text };
}

function percent(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1)} %`;
}
