import { UnreadableFile } from "../faults.ts";

/** More control characters than this share of a text are no text. */
const mostControl = 0.02;

/**
 * Bytes as text with `\n` between lines: by their byte order mark, else UTF-8, else `fallback`, else Windows-1252, which is Latin-1 and a
 * little more. Throws `UnreadableFile`: `empty`, or `not_text` for NUL and for more control characters than texts have.
 */
export function decodeText(bytes: Uint8Array, fallback = "windows-1252"): string {
  const text = decoded(bytes, fallback).replace(/\r\n?/g, "\n");
  if (text.trim() === "") throw new UnreadableFile("empty");
  if (text.includes("\0")) throw new UnreadableFile("not_text", "it holds NUL, as no text does");
  let control = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  for (const _ of text.matchAll(/[\u0001-\u0008\u000b\u000e-\u001f]/g)) control += 1;
  if (control > text.length * mostControl) throw new UnreadableFile("not_text");
  return text;
}

function decoded(bytes: Uint8Array, fallback: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodedAs(fallback, bytes);
  }
}

/** An encoding that a file names and nobody knows is no reason to lose the file. */
function decodedAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
