/**
 * What a parser makes of a file: text in blocks that say what they are, where they stand and on which page. Parsers get bytes and give
 * blocks; they open no file, know no database, and run in a process that holds neither (see `parse-apart.ts`).
 */

/** A piece of a file that belongs together. `start` and `end` are characters of the file's text. */
export interface Block {
  /** A `row` stands for itself and names its columns; a `table` is whole, its first line its header. */
  readonly kind: "heading" | "paragraph" | "list" | "table" | "row" | "code";
  /** Of a heading, 1 the highest; else 0. */
  readonly level: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Counted from 1; `null` where the format has no pages. */
  readonly page: number | null;
}

/** A file as text. */
export interface ParsedFile {
  readonly title: string | null;
  readonly blocks: readonly Block[];
  /** Length of the file's text that `start` and `end` count in. */
  readonly length: number;
  /** `null` where the format has no pages. */
  readonly pages: number | null;
  /** What nobody who opens the file is shown, such as scripts and hidden text, and what repeats on each page: left out, counted by kind. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** The formats that are read. */
export const formats = ["markdown", "html", "pdf", "docx", "text", "csv"] as const;
export type Format = (typeof formats)[number];

/** What the guard ends the process by that reads a file; nobody else sends it, and a thread that is busy cannot put it off. */
export const memorySignal = "SIGUSR2";

/** Told after each page, in formats that have them. */
export type OnPage = (page: number, pages: number) => void;

const formatOf: Readonly<Record<string, Format>> = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".pdf": "pdf",
  ".docx": "docx",
  ".txt": "text",
  ".text": "text",
  ".csv": "csv",
  ".tsv": "csv",
};

/** The format of a file by its name's ending, given with its dot; `null` for one that is not read. */
export function formatByEnding(ending: string): Format | null {
  const known = ending.toLowerCase();
  return Object.hasOwn(formatOf, known) ? (formatOf[known] ?? null) : null;
}
