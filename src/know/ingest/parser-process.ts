/**
 * The process in which files of strangers are read: it gets bytes and gives blocks over one channel. It has no environment, no network
 * credentials and no right to files beside the program's own; time and memory are limited from outside (`parse-apart.ts`) and by its guard.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { UnreadableFile } from "./faults.ts";
import type { Format } from "./parsed.ts";
import { loadParser, type ParseBytes } from "./parsers/parse.ts";

/** What the process is asked. */
export interface ParseRequest {
  readonly id: number;
  readonly format: Format;
  readonly bytes: Uint8Array;
}

const guard = new Worker(new URL(`./memory-guard${extname(import.meta.url)}`, import.meta.url), {
  workerData: { mostBytes: Number(process.argv[2]) },
  resourceLimits: { maxOldGenerationSizeMb: 16 },
});
guard.unref();
guard.once("online", () => process.send?.({ kind: "ready" }));
process.on("message", (request: ParseRequest) => void answer(request));
process.once("disconnect", () => process.exit(0));

async function answer({ id, format, bytes }: ParseRequest): Promise<void> {
  const parse = await parserOf(format);
  if (parse === null) return void process.send?.({ kind: "fault", id, fault: "not_read", detail: "its parser cannot be loaded" });
  try {
    const onPage = (page: number, pages: number): void => void process.send?.({ kind: "page", id, page, pages });
    process.send?.({ kind: "parsed", id, file: await parse(bytes, onPage) });
  } catch (thrown) {
    // A parser that fails in a way of its own has met what is no file of its format; its words may quote the file.
    const isKnown = thrown instanceof UnreadableFile;
    process.send?.({ kind: "fault", id, fault: isKnown ? thrown.fault : "broken", detail: isKnown ? thrown.message : null });
  }
}

async function parserOf(format: Format): Promise<ParseBytes | null> {
  try {
    return await loadParser(format);
  } catch {
    return null;
  }
}
