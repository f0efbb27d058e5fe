import { type ChildProcess, fork } from "node:child_process";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UnreadableFile } from "./faults.ts";
import { type Format, memorySignal, type OnPage, type ParsedFile } from "./parsed.ts";
import { readParserMessage } from "./parser-message.ts";

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
  /** Throws `UnreadableFile`: for a file that is no good, or with `not_read` where the process ended for another reason. One at a time. */
  readonly parse: (file: { format: Format; bytes: Uint8Array; onPage?: OnPage }) => Promise<ParsedFile>;
  readonly close: () => void;
  /** Of its process, while there is one. */
  readonly pid: () => number | undefined;
}

/** A process is not used for more files than this: what one file did to it ends with it. */
const filesPerProcess = 100;

const program = fileURLToPath(new URL(`./parser-process${extname(import.meta.url)}`, import.meta.url));
const packageFolder = fileURLToPath(new URL("../../../", import.meta.url));

/** Begins a parser; its process is started with the first file. */
export function openParser(limits: ParseLimits = usualParseLimits): Parser {
  let child: ChildProcess | null = null;
  let files = 0;
  let isClosed = false;
  // Its listeners stay: whoever waits for an answer hears that there will be none.
  const end = (): void => {
    child?.kill("SIGKILL");
    child = null;
    files = 0;
  };
  return {
    async parse({ format, bytes, onPage = () => {} }) {
      if (files >= filesPerProcess || child?.connected === false) end();
      child ??= await startProcess(limits);
      if (isClosed) {
        end();
        throw new UnreadableFile("not_read", "reading was stopped");
      }
      files += 1;
      const answer = await askProcess({ child, limits, onPage, request: { id: files, format, bytes } });
      // A file that is broken says so and leaves the process as it was; whatever else ended it ends with it.
      if (answer.kind === "ended") end();
      if (answer.kind !== "parsed") throw answer.fault;
      return answer.file;
    },
    close() {
      isClosed = true;
      end();
    },
    pid: () => child?.pid,
  };
}

/** The flags of Node that let the process read the program's own files and nothing else: it writes no file and starts no process. */
export function parserRights(): readonly string[] {
  const readable = [packageFolder, ...foldersOfPackages(dirname(program))];
  return ["--permission", ...readable.map((folder) => `--allow-fs-read=${folder}`)];
}

/** Where a package may stand that a program in this folder imports: beside it, and beside each folder above it. */
function foldersOfPackages(folder: string): readonly string[] {
  const above = dirname(folder);
  const here = join(folder, "node_modules");
  return above === folder ? [here] : [here, ...foldersOfPackages(above)];
}

async function startProcess({ memoryBytes }: ParseLimits): Promise<ChildProcess> {
  // More than the guard allows, so that a file that takes too much is ended by the guard and not by the engine.
  const heapMb = Math.max(64, Math.ceil((2 * memoryBytes) / 1024 / 1024));
  const child = fork(program, [String(memoryBytes)], {
    execArgv: [...parserRights(), "--allow-worker", `--max-old-space-size=${heapMb}`, "--disable-warning=ExperimentalWarning"],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (how: string): void =>
      reject(new UnreadableFile("not_read", `the process that reads files ${how} at its start`));
    child.once("message", () => resolve());
    child.once("error", ({ name }) => fail(`failed (${name})`));
    child.once("exit", (code, signal) => fail(`ended with ${code ?? signal}`));
  });
  for (const event of ["message", "error", "exit"]) child.removeAllListeners(event);
  // What could not be sent to a process that is gone may be told after its end, when nobody asks any more.
  child.on("error", () => {});
  return child;
}

interface Asking {
  readonly child: ChildProcess;
  readonly limits: ParseLimits;
  readonly onPage: OnPage;
  readonly request: { readonly id: number; readonly format: Format; readonly bytes: Uint8Array };
}

/** What became of one file; with `ended` the process is gone or must go. */
type Answer =
  | { readonly kind: "parsed"; readonly file: ParsedFile }
  | { readonly kind: "faulty" | "ended"; readonly fault: UnreadableFile };

function askProcess({ child, limits, onPage, request }: Asking): Promise<Answer> {
  return new Promise((resolve) => {
    const tooLong = (): void => settle({ kind: "ended", fault: new UnreadableFile("too_long") });
    const whole = setTimeout(tooLong, limits.wholeMs);
    let silence = setTimeout(tooLong, limits.silenceMs);
    const settle = (answer: Answer): void => {
      clearTimeout(whole);
      clearTimeout(silence);
      for (const event of ["message", "exit"]) child.removeAllListeners(event);
      child.off("error", fail);
      resolve(answer);
    };
    const fail = (): void => settle({ kind: "ended", fault: new UnreadableFile("not_read") });
    child.on("message", (message) => {
      const said = readParserMessage(message);
      if (said === null || said.id !== request.id) return settle({ kind: "ended", fault: new UnreadableFile("broken") });
      if (said.kind === "parsed") return settle({ kind: "parsed", file: said.file });
      if (said.kind === "faulty") return settle({ kind: "faulty", fault: said.fault });
      clearTimeout(silence);
      silence = setTimeout(tooLong, limits.silenceMs);
      onPage(said.page, said.pages);
    });
    child.once("exit", (code, signal) => settle({ kind: "ended", fault: faultOfEnd(code, signal) }));
    child.once("error", fail);
    child.send(request);
  });
}

/** Only the guard's own signal says something of the file: the system, an operator or a stop may end the process amid a good one. */
function faultOfEnd(code: number | null, signal: NodeJS.Signals | null): UnreadableFile {
  if (signal === memorySignal) return new UnreadableFile("too_much_memory");
  return new UnreadableFile("not_read", `the process that reads it ended with ${code ?? signal}; it is tried again`);
}
