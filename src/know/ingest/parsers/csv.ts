import { parse } from "csv-parse/sync";
import { UnreadableFile } from "../faults.ts";
import type { Block, ParsedFile } from "../parsed.ts";
import { decodeText } from "./decode-text.ts";

const delimiters = [",", ";", "\t", "|"] as const;

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly bytes: number };
}

/**
 * Reads a table of rows whose first names the columns: each row becomes one line that names them again, so that a row found alone can
 * be understood. Throws `UnreadableFile`: `broken` for a quote that is never closed, `no_text` for a header without rows.
 */
export function parseCsv(bytes: Uint8Array): ParsedFile {
  const text = decodeText(bytes);
  const encoded = Buffer.from(text, "utf8");
  const [header, ...rows] = rowsOf(encoded, delimiterOf(text));
  if (header === undefined || rows.length === 0) throw new UnreadableFile("no_text", "it holds a header at most, and no row");
  const names = header.record.map((name, place) => (name.trim() === "" ? `column ${place + 1}` : name.trim()));
  const blocks: Block[] = [];
  let bytesBefore = header.info.bytes;
  let start = encoded.toString("utf8", 0, bytesBefore).length;
  for (const { record, info } of rows) {
    const end = start + encoded.toString("utf8", bytesBefore, info.bytes).length;
    const line = lineOf(names, record);
    if (line !== "") blocks.push({ kind: "row", level: 0, text: line, start, end, page: null });
    bytesBefore = info.bytes;
    start = end;
  }
  return { title: null, blocks, length: text.length, pages: null, dropped: {} };
}

function rowsOf(encoded: Buffer, delimiter: string): readonly Row[] {
  try {
    // With `info` each record comes with where it ends; the types of the library do not follow that.
    return parse(encoded, {
      delimiter,
      info: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
    }) as unknown as readonly Row[];
  } catch (thrown) {
    const line = typeof thrown === "object" && thrown !== null && "lines" in thrown ? ` at line ${Number(thrown.lines)}` : "";
    throw new UnreadableFile("broken", `its rows cannot be told apart${line}; see its quotes`);
  }
}

/** The delimiter that the first line holds most of, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const bare = line.replace(/"[^"]*"/g, "");
  const counts = delimiters.map((one) => bare.split(one).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

function lineOf(names: readonly string[], record: readonly string[]): string {
  const cells = record.map((cell, place) => [names[place] ?? `column ${place + 1}`, cell.trim().replace(/\s+/g, " ")] as const);
  return cells
    .filter(([, cell]) => cell !== "")
    .map(([name, cell]) => `${name}: ${cell}`)
    .join("; ");
}
