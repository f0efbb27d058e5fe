import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { UnreadableFile } from "../faults.ts";
import type { Block, OnPage, ParsedFile } from "../parsed.ts";
import { blocksOfPages } from "./pdf-blocks.ts";
import { linesOfPage, type PageLine, type TextItem } from "./pdf-lines.ts";
import { withoutRunningLines } from "./pdf-running.ts";

/** Most pages that are read. */
const mostPages = 5_000;

/** Loads what reads the format first: that it is not there must not be taken for a file that is broken. */
export async function loadPdfParser(): Promise<typeof parsePdf> {
  await getResolvedPDFJS();
  return parsePdf;
}

/**
 * Reads a PDF page by page: lines by where their words stand, headings by their size, tables by their gaps. Lines that repeat at the top
 * or the foot of most pages are dropped and counted. Throws `UnreadableFile`; one without text has pictures of pages.
 */
export async function parsePdf(bytes: Uint8Array, onPage: OnPage): Promise<ParsedFile> {
  if (bytes.byteLength === 0) throw new UnreadableFile("empty");
  const pdf = await opened(bytes);
  if (pdf.numPages > mostPages) throw new UnreadableFile("too_large", `it has ${pdf.numPages} pages`);
  const pages: (readonly PageLine[])[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    pages.push(await linesOf(pdf, number));
    onPage(number, pdf.numPages);
  }
  const { kept, count } = withoutRunningLines(pages);
  const { blocks, length } = blocksOfPages(kept);
  if (blocks.length === 0) throw new UnreadableFile("no_text");
  const dropped = count === 0 ? {} : { running_lines: count };
  return { title: titleOf(blocks), blocks, length, pages: pdf.numPages, dropped };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function opened(bytes: Uint8Array): Promise<Pdf> {
  try {
    // The parser takes its bytes over, so it gets a copy.
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, stopAtErrors: false });
  } catch (thrown) {
    const isEncrypted = thrown instanceof Error && thrown.name === "PasswordException";
    throw new UnreadableFile(isEncrypted ? "encrypted" : "broken");
  }
}

async function linesOf(pdf: Pdf, number: number): Promise<readonly PageLine[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return linesOfPage(items.flatMap((item): TextItem[] => ("str" in item ? [itemOf(item)] : [])));
  } catch {
    throw new UnreadableFile("broken", `its page ${number} cannot be read`);
  }
}

function itemOf({ str, transform, width, height }: { str: string; transform: readonly number[]; width: number; height: number }) {
  const [, , , scale = 0, x = 0, y = 0] = transform;
  return { text: str, x, y, width, height: height > 0 ? height : Math.abs(scale) };
}

function titleOf(blocks: readonly Block[]): string | null {
  const [first] = blocks;
  return first?.kind === "heading" ? first.text : null;
}
