/**
 * The talk between a benchmark and a process of a peer: JSON lines on stdin, one line of answer on stdout for each.
 *   {"fill":{"count":200}}  ->  {"fill":...}     the name of the command with what its function returned, `true` for nothing
 *   {"exit":true}           ->  ends, after `close`
 * A command that throws answers {"error"} and ends the process: a peer that stumbled is not measured.
 */
import { createInterface } from "node:readline";

export async function serve(commands, close) {
  try {
    for await (const line of createInterface({ input: process.stdin })) {
      const [[name, given]] = Object.entries(JSON.parse(line));
      if (name === "exit") break;
      answer({ [name]: (await commands[name](given)) ?? true });
    }
    await close();
    // Libraries of peers keep timers and sockets; everything that counts was closed.
    process.exit(0);
  } catch (error) {
    answer({ error: String(error?.stack ?? error) }, () => process.exit(1));
  }
}

/** CPU of this process so far, in milliseconds. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function answer(value, then) {
  process.stdout.write(`${JSON.stringify(value)}\n`, then);
}
