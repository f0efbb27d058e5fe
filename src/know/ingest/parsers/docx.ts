import mammoth from "mammoth";
import { UnreadableFile } from "../faults.ts";
import type { ParsedFile } from "../parsed.ts";
import { parseHtmlText } from "./html.ts";
import { inspectZip } from "./inspect-zip.ts";

/** A container of the old formats, which also wraps what Office encrypts. */
const compoundFile = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0);

/** Reads a Word document by its styles: headings, lists and tables; pictures are left out. Throws `UnreadableFile`. */
export async function parseDocx(bytes: Uint8Array): Promise<ParsedFile> {
  if (bytes.byteLength === 0) throw new UnreadableFile("empty");
  if (compoundFile.every((byte, place) => bytes[place] === byte)) throw new UnreadableFile("encrypted");
  const names = inspectZip(bytes);
  if (!names.includes("word/document.xml")) throw new UnreadableFile("broken", "it is no Word document");
  const parsed = parseHtmlText(await htmlOf(bytes));
  if (parsed.blocks.length === 0) throw new UnreadableFile("no_text");
  return parsed;
}

async function htmlOf(bytes: Uint8Array): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
        externalFileAccess: false,
        includeEmbeddedStyleMap: false,
      },
    );
    return value;
  } catch {
    throw new UnreadableFile("broken");
  }
}
