import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type FileFault, isFileFault, UnreadableFile } from "./faults.ts";
import type { Format, OnPage, ParsedFile } from "./parsed.ts";

/** What reading one file may cost. */
export interface ParseLimits {
  /** Longest time without a sign of life, in milliseconds: each page of a long file is one. */
  readonly silenceMs: number;
  /** Longest time for the whole file, in milliseconds. */
  readonly wholeMs: number;
  /** Most memory of the process that reads, in bytes. */
  readonly memoryBytes: number;
}

export const usualParseLimits: ParseLimits = { silenceMs: 30_000, wholeMs: 600_000, memoryBytes: 1024 * 1024 * 1024 };

/** Reads files in a process apart. Holds that process between files; close it. */
export interface Parser {
  /** Throws `UnreadableFile` for a file that is no good, whatever it did to the process. One at a time. */
  readonly parse: (file: { format: Format; bytes: Uint8Array; onPage?: OnPage }) => Promise<ParsedFile>;
  readonly close: () => void;
  /** Of its process, while there is one. */
  readonly pid: () => number | undefined;
}

/** A process is not used for more files than this: what one file did to it ends with it. */
const filesPerProcess = 100;

const program = fileURLToPath(new URL("./parser-process.ts", import.meta.url));
const packageFolder = fileURLToPath(new URL("../../../", import.meta.url));
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

/** Begins a parser; its process is started with the first file. */
export function openParser(limits: ParseLimits = usualParseLimits): Parser {
  let child: ChildProcess | null = null;
  let files = 0;
  const end = (): void => {
    child?.removeAllListeners();
    child?.kill("SIGKILL");
    child = null;
    files = 0;
  };
  return {
    async parse({ format, bytes, onPage = () => {} }) {
      if (files >= filesPerProcess || (child !== null && !child.connected)) end();
      try {
        child ??= await startProcess(limits);
        files += 1;
        return await askProcess({ child, limits, onPage, request: { id: files, format, bytes } });
      } catch (thrown) {
        // A file that is broken says so and leaves the process as it was; whatever else ended it ends with it.
        if (!(thrown instanceof UnreadableFile) || ["too_long", "too_much_memory"].includes(thrown.fault)) end();
        throw thrown;
      }
    },
    close: end,
    pid: () => child?.pid,
  };
}

/** The flags of Node that let the process read the program's own files and nothing else: it writes no file and starts no process. */
export function parserRights(): readonly string[] {
  const readable = [packageFolder, ...(createRequire(program).resolve.paths("x") ?? [])];
  return ["--permission", ...readable.map((folder) => `--allow-fs-read=${folder}`)];
}

async function startProcess({ memoryBytes }: ParseLimits): Promise<ChildProcess> {
  const heapMb = Math.max(64, Math.floor(memoryBytes / 1024 / 1024));
  const child = fork(program, [String(memoryBytes)], {
    execArgv: [...parserRights(), "--allow-worker", `--max-old-space-size=${heapMb}`, "--disable-warning=ExperimentalWarning"],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`the process that reads files ended with ${code ?? signal} at its start`)),
    );
  });
  child.removeAllListeners();
  return child;
}

type Asking = {
  readonly child: ChildProcess;
  readonly limits: ParseLimits;
  readonly onPage: OnPage;
  readonly request: { readonly id: number; readonly format: Format; readonly bytes: Uint8Array };
};

function askProcess({ child, limits, onPage, request }: Asking): Promise<ParsedFile> {
  return new Promise((resolve, reject) => {
    const tooLong = (): void => settle(() => reject(new UnreadableFile("too_long")));
    const whole = setTimeout(tooLong, limits.wholeMs);
    let silence = setTimeout(tooLong, limits.silenceMs);
    const settle = (finish: () => void): void => {
      clearTimeout(whole);
      clearTimeout(silence);
      child.removeAllListeners();
      finish();
    };
    child.on("message", (message) => {
      const answer = answerForm.safeParse(message).data;
      if (answer === undefined || answer.id !== request.id) return settle(() => reject(new UnreadableFile("broken")));
      if (answer.kind === "parsed") return settle(() => resolve(keepable(answer.file)));
      if (answer.kind === "fault") return settle(() => reject(faultOf(answer)));
      clearTimeout(silence);
      silence = setTimeout(tooLong, limits.silenceMs);
      onPage(answer.page, answer.pages);
    });
    // Nobody else ends it: the guard did, or the engine found no more memory.
    child.once("exit", () => settle(() => reject(new UnreadableFile("too_much_memory"))));
    child.once("error", () => settle(() => reject(new UnreadableFile("broken"))));
    child.send(request);
  });
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
