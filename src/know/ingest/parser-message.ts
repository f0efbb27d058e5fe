import { z } from "zod";
import { type FileFault, isFileFault, UnreadableFile } from "./faults.ts";
import type { ParsedFile } from "./parsed.ts";

/** What the process that reads files says of the request `id`. */
export type ParserMessage =
  | { readonly kind: "page"; readonly id: number; readonly page: number; readonly pages: number }
  | { readonly kind: "faulty"; readonly id: number; readonly fault: UnreadableFile }
  | { readonly kind: "parsed"; readonly id: number; readonly file: ParsedFile };

const blockForm = z.object({
  kind: z.enum(["heading", "paragraph", "list", "table", "row", "code"]),
  level: z.int().min(0).max(6),
  text: z.string(),
  start: z.int().min(0),
  end: z.int().min(0),
  page: z.int().positive().nullable(),
});
// The process has read a stranger's file, so what it says is a stranger's word.
const answerForm = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("page"), id: z.int(), page: z.int().positive(), pages: z.int().positive() }),
  z.object({ kind: z.literal("fault"), id: z.int(), fault: z.string(), detail: z.string().max(300).nullable() }),
  z.object({
    kind: z.literal("parsed"),
    id: z.int(),
    file: z.object({
      title: z.string().nullable(),
      blocks: z.array(blockForm),
      length: z.int().min(0),
      pages: z.int().positive().nullable(),
      dropped: z.record(z.string(), z.int()),
    }),
  }),
]);

/** Reads a message of the process; `null` for one that it would not send by itself. */
export function readParserMessage(message: unknown): ParserMessage | null {
  const said = answerForm.safeParse(message).data;
  if (said === undefined) return null;
  if (said.kind === "fault") return { kind: "faulty", id: said.id, fault: faultOf(said) };
  return said.kind === "page" ? said : { ...said, file: keepable(said.file) };
}

/** Characters that no text may hold become the one that stands for such, so that nothing moves. */
function keepable(file: ParsedFile): ParsedFile {
  const plain = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");
  const title = file.title === null ? null : plain(file.title);
  return { ...file, title, blocks: file.blocks.map((block) => ({ ...block, text: plain(block.text) })) };
}

function faultOf({ fault, detail }: { fault: string; detail: string | null }): UnreadableFile {
  const known: FileFault = isFileFault(fault) ? fault : "broken";
  return new UnreadableFile(known, detail ?? undefined);
}
