import { assertNever } from "../../../contract/errors.ts";
import type { Format, OnPage, ParsedFile } from "../parsed.ts";

/** Reads a file's bytes by its format; each parser is loaded when it is first needed. Throws `UnreadableFile`. */
export async function parseBytes({
  format,
  bytes,
  onPage,
}: {
  format: Format;
  bytes: Uint8Array;
  onPage: OnPage;
}): Promise<ParsedFile> {
  switch (format) {
    case "markdown":
      return (await import("./markdown.ts")).parseMarkdown(bytes);
    case "html":
      return (await import("./html.ts")).parseHtml(bytes);
    case "pdf":
      return (await import("./pdf.ts")).parsePdf(bytes, onPage);
    case "docx":
      return (await import("./docx.ts")).parseDocx(bytes);
    case "text":
      return (await import("./text.ts")).parseText(bytes);
    case "csv":
      return (await import("./csv.ts")).parseCsv(bytes);
    default:
      return assertNever(format);
  }
}
