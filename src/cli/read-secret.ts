import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CountersignError } from "../contract/errors.ts";

const mostBytes = 64 * 1024;

/**
 * Reads a secret's value from stdin, or asks for it at a terminal without showing it. One line end at its end is left out. Throws
 * `bad_request` for one that is empty or holds NUL, and `too_large` beyond 64 KiB.
 */
export async function readSecret(name: string): Promise<string> {
  const given = process.stdin.isTTY ? await askFor(name) : await readAll();
  const value = given.replace(/\r?\n$/, "");
  if (value.trim() === "")
    throw new CountersignError("bad_request", "no value came on stdin; pipe it in, or type it at the prompt");
  if (value.includes("\0") || value.includes("\uFFFD"))
    throw new CountersignError("bad_request", "the value is no text; encode it, for example in base64");
  return value;
}

async function readAll(): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of process.stdin) {
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes > mostBytes) throw new CountersignError("too_large", `a secret may have ${mostBytes} bytes`);
  }
  return Buffer.concat(pieces).toString("utf8");
}

async function askFor(name: string): Promise<string> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // Only now does the terminal not echo: whoever is asked before may have typed already.
  process.stderr.write(`value of ${name} (not shown): `);
  try {
    // Ctrl-c and ctrl-d close it without an answer.
    const closed = new Promise<string>((done) => terminal.once("close", () => done("")));
    return await Promise.race([terminal.question(""), closed]);
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
