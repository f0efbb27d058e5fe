import { readFile } from "node:fs/promises";
import { neverCancelled } from "../contract/cancel.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Finding } from "../contract/privacy.ts";
import { builtInRecogniser } from "../gateway/recognisers/built-in.ts";
import { findStructured } from "../guard/privacy/detect/find-structured.ts";
import { unite } from "../guard/privacy/detect/unite.ts";
import { print } from "./print.ts";

/** Largest file that is looked through, in bytes. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Finds personal data in a file as the boundary would, with where it stands; values are masked unless `show` is given. Exit code 1 where
 * something is found. Throws `bad_request` for a file that cannot be read, is too large or is no text.
 */
export async function privacyScan(path: string, { show, json }: { show?: true; json?: true }): Promise<void> {
  const text = await readText(path);
  const [names = []] = await builtInRecogniser().find([text], neverCancelled);
  const findings = unite([...findStructured(text), ...names]);
  const placeOf = placesIn(text);
  const found = findings.map((finding) => ({
    ...{ class: finding.class, kind: finding.kind, jurisdiction: finding.jurisdiction, ...placeOf(finding.start) },
    value: show === true ? text.slice(finding.start, finding.end) : masked(text.slice(finding.start, finding.end)),
  }));
  const lines = found.map((one) => `${path}:${one.line}:${one.column} ${one.class} (${one.kind}) ${one.value}`);
  const counts = countsOf(findings);
  const total = Object.entries(counts).map(([of, count]) => `${count} ${of}`);
  print({
    json,
    value: { file: path, counts, findings: found },
    lines: [
      ...lines,
      total.length === 0 ? "nothing was found; that is no proof that nothing is there" : `found: ${total.join(", ")}`,
    ],
  });
  if (found.length > 0) process.exitCode = 1;
}

async function readText(path: string): Promise<string> {
  const named = `the file \`${path.slice(0, 200)}\``;
  const bytes = await readFile(path).catch((cause) => {
    throw new CountersignError("bad_request", `${named} cannot be read`, { cause });
  });
  if (bytes.length > mostBytes) throw new CountersignError("bad_request", `${named} is larger than ${mostBytes} bytes; cut it`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CountersignError("bad_request", `${named} is no UTF-8 text`, { cause });
  }
}

/** Line and column from 1; asked in the order of the text, so that it is walked once. */
function placesIn(text: string): (at: number) => { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  return (at) => {
    for (let next = text.indexOf("\n", start); next !== -1 && next < at; next = text.indexOf("\n", start)) {
      line += 1;
      start = next + 1;
    }
    return { line, column: at - start + 1 };
  };
}

/** Letters and digits become `*`, so that its form is seen and nothing else. */
function masked(value: string): string {
  return value.replaceAll(/[\p{L}\p{N}]/gu, "*").replaceAll(/\s+/g, " ");
}

function countsOf(findings: readonly Finding[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { class: of } of findings) counts[of] = (counts[of] ?? 0) + 1;
  return counts;
}
