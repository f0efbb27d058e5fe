import type { Block } from "./parsed.ts";

/**
 * Divides a block that is longer than `most` characters: a list between its items and a table between its rows, whose first line is
 * repeated in each part; text between its sentences, else between words. Ranges of parts are shares of the block's own.
 */
export function splitBlock(block: Block, most: number): readonly Block[] {
  if (block.text.length <= most) return [block];
  const { kind } = block;
  if (kind === "table") return splitTable(block, most);
  const pieces = kind === "list" || kind === "code" ? linesOf(block.text, most) : sentencesOf(block.text, most);
  return packed(pieces, most).map((part) => partOf(block, part));
}

interface Piece {
  readonly text: string;
  readonly from: number;
}

function splitTable(block: Block, most: number): readonly Block[] {
  const [header = "", second = ""] = block.text.split("\n", 2);
  // In Markdown a line of dashes belongs to the header.
  const head = /^[\s|:-]+$/.test(second) && second.includes("-") ? `${header}\n${second}\n` : `${header}\n`;
  if (head.length > most / 2) return packed(linesOf(block.text, most), most).map((part) => partOf(block, part));
  const body = linesOf(block.text.slice(head.length), most - head.length);
  const parts = packed(body, most - head.length);
  return parts.map((part) => ({ ...partOf(block, { ...part, from: part.from + head.length }), text: head + part.text }));
}

/** Joins pieces while they fit, so that no part is longer than `most`. */
function packed(pieces: readonly Piece[], most: number): readonly Piece[] {
  const parts: Piece[] = [];
  let text = "";
  let from = 0;
  for (const piece of pieces) {
    if (text !== "" && text.length + piece.text.length > most) {
      parts.push({ text, from });
      text = "";
    }
    if (text === "") from = piece.from;
    text += piece.text;
  }
  if (text.trim() !== "") parts.push({ text, from });
  return parts;
}

/** Lines with their ends; an item's further lines stay with it while they fit. */
function linesOf(text: string, most: number): readonly Piece[] {
  return cut(text, /\n(?=\S)/g, 1).flatMap((piece) =>
    piece.text.length <= most ? [piece] : sentencesOf(piece.text, most, piece.from),
  );
}

function sentencesOf(text: string, most: number, from = 0): readonly Piece[] {
  const sentences = cut(text, /[.!?\u3002\uff01\uff1f]["')\]]?\s+|\n/g);
  return sentences
    .flatMap((piece) => (piece.text.length <= most ? [piece] : wordsOf(piece.text, most, piece.from)))
    .map((piece) => ({
      text: piece.text,
      from: piece.from + from,
    }));
}

/** Text without sentences is divided after a space, or where it must be; never within a character. */
function wordsOf(text: string, most: number, from: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    let end = Math.min(text.length, at + most);
    if (end < text.length) {
      const space = text.lastIndexOf(" ", end - 1);
      if (space > at + most / 2) end = space + 1;
      else if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    }
    pieces.push({ text: text.slice(at, end), from: from + at });
    at = end;
  }
  return pieces;
}

/** Pieces that end after each match. */
function cut(text: string, pattern: RegExp, kept?: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + (kept ?? match[0].length);
    pieces.push({ text: text.slice(at, end), from: at });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), from: at });
  return pieces;
}

/** Where a block's text is as it stands in the file the range is exact, else it is the part's share. */
function partOf(block: Block, part: Piece): Block {
  const scale = block.text.length === 0 ? 1 : (block.end - block.start) / block.text.length;
  const start = block.start + Math.floor(part.from * scale);
  const end = Math.min(block.end, block.start + Math.ceil((part.from + part.text.length) * scale));
  return { ...block, text: part.text.trimEnd(), start, end };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
