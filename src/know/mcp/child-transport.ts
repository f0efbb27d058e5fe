import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type OwnDirectory, ownDirectory, type RunAs } from "./own-directory.ts";

/** How long a program that was asked to end may take, in milliseconds, before it is killed. */
const endMs = 1_000;

/**
 * An MCP server as a child process: one message a line on its standard streams. It gets the environment that it is given and no more, a
 * folder of its own and no other open file; what it writes to stderr is not read, and a line that is too long ends it.
 */
export class ChildTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T) => void) | undefined;
  readonly #program: ChildProgram;
  #child: ChildProcessByStdio<Writable, Readable, null> | null = null;
  #own: OwnDirectory | null = null;
  #line: Buffer[] = [];
  #lineBytes = 0;

  constructor(program: ChildProgram) {
    this.#program = program;
  }

  async start(): Promise<void> {
    const { directory: named, runAs } = this.#program;
    const own = await ownDirectory({ named, runAs });
    this.#own = own;
    try {
      await once(this.#spawn(own), "spawn");
    } catch (thrown) {
      await own.remove();
      throw thrown;
    }
  }

  /** Throws at once where this process may not become the user that is named. */
  #spawn(own: OwnDirectory): ChildProcess {
    const { command, args, env, runAs } = this.#program;
    const child = spawn(command, [...args], {
      ...{ env: { ...env }, cwd: own.path, windowsHide: true, ...runAs },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    child.on("error", (error) => this.onerror?.(error));
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.stdout.on("error", (error) => this.onerror?.(error));
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    // Not `close`: a process that it started may hold its streams for as long as it likes.
    child.on("exit", () => {
      child.stdout.destroy();
      void own.remove();
      this.onclose?.();
    });
    return child;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable) throw new Error("the program has ended");
    if (!stdin.write(`${JSON.stringify(message)}\n`)) await once(stdin, "drain");
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === null || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.stdin.end();
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), endMs);
    await exited;
    clearTimeout(timer);
    await this.#own?.remove();
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n")) {
      if (!this.#add(rest.subarray(0, end))) return;
      this.#deliver();
      rest = rest.subarray(end + 1);
    }
    this.#add(rest);
  }

  #add(part: Buffer): boolean {
    this.#lineBytes += part.length;
    this.#line.push(part);
    if (this.#lineBytes <= this.#program.maxMessageBytes) return true;
    this.#line = [];
    this.#child?.stdout.destroy();
    this.#child?.kill("SIGKILL");
    this.#program.onTooMuch();
    return false;
  }

  #deliver(): void {
    const text = Buffer.concat(this.#line).toString("utf8");
    this.#line = [];
    this.#lineBytes = 0;
    const message = parsed(text);
    // The client checks the form of what it is handed, and takes no notice of what is no message.
    if (message !== undefined) this.onmessage?.(message as JSONRPCMessage);
  }
}

/** The program of a server, with all of its environment, and the longest message that is taken from it, in bytes. */
export interface ChildProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder that it works in; a new one of its own where it is left out. */
  readonly directory?: string | undefined;
  /** The user that it runs as; this process's own where it is left out. */
  readonly runAs?: RunAs | undefined;
  readonly maxMessageBytes: number;
  readonly onTooMuch: () => void;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
