import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { WriterRole } from "../../../src/contract/words.ts";
import type { Attempted } from "./program.ts";
import type { Target } from "./world.ts";

/** Runs the hostile program in a process that has this environment and nothing else; gives what came of each attempt. */
export function runHostile({
  env,
  side,
  target,
  only = null,
}: {
  env: NodeJS.ProcessEnv;
  side: WriterRole | "owner";
  target: Target;
  /** Names of attempts; all of them where it is not given. */
  only?: readonly string[] | null;
}): Promise<readonly Attempted[]> {
  const file = fileURLToPath(new URL("./program.ts", import.meta.url));
  const told = JSON.stringify({ side, only, target });
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file, told], { env, timeout: 120_000 }, (fault, printed, errors) => {
      if (fault !== null) reject(new Error(`the program ended early: ${errors || fault.message}`));
      // One line for each attempt, written by the program alone.
      else
        resolve(
          printed
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Attempted),
        );
    });
  });
}
