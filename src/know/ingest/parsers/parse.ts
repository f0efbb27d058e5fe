import { assertNever } from "../../../contract/errors.ts";
import type { Format, OnPage, ParsedFile } from "../parsed.ts";

/** Makes blocks of bytes. Throws `UnreadableFile`, or what a parser throws at what is no file of its format. */
export type ParseBytes = (bytes: Uint8Array, onPage: OnPage) => ParsedFile | Promise<ParsedFile>;

/** Loads the parser of a format, when it is first needed. What it throws is a fault of the installation and of no file. */
export async function loadParser(format: Format): Promise<ParseBytes> {
  switch (format) {
    case "markdown":
      return (await import("./markdown.ts")).parseMarkdown;
    case "html":
      return (await import("./html.ts")).parseHtml;
    case "pdf":
      return (await import("./pdf.ts")).loadPdfParser();
    case "docx":
      return (await import("./docx.ts")).parseDocx;
    case "text":
      return (await import("./text.ts")).parseText;
    case "csv":
      return (await import("./csv.ts")).parseCsv;
    default:
      return assertNever(format);
  }
}
