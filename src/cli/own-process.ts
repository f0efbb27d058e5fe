import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CountersignError, type ErrorCode, errorCodes } from "../contract/errors.ts";

const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
const errorForm = z.object({
  error: z.object({ code: z.custom<ErrorCode>((code) => Object.hasOwn(errorCodes, String(code))), message: z.string() }),
});

/**
 * Runs one of our commands over one half of a project, in a process of its own and without any secret, so that nobody loads both
 * halves; gives what it printed. Throws what kept it from that, `definition_invalid` where it said nothing within 30 s.
 */
export function saidByOwnProcess({
  args,
  project,
  what,
}: {
  args: readonly string[];
  project: string;
  what: string;
}): Promise<unknown> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve, reject) => {
    const all = [program, ...args, "--project", project, "--json"];
    execFile(process.execPath, all, { env: { PATH, HOME }, timeout: 30_000 }, (failure, stdout) => {
      const said = jsonOf(stdout);
      if (failure === null && said !== undefined) return resolve(said);
      const told = errorForm.safeParse(said).data?.error;
      const message =
        told?.message ?? `${what} of \`${project}\` could not be loaded within 30 s; \`countersign check\` loads it too`;
      reject(new CountersignError(told?.code ?? "definition_invalid", message));
    });
  });
}

/** The last line: what a project's own code prints while it is loaded comes before it. */
function jsonOf(stdout: string): unknown {
  try {
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  } catch {
    return undefined;
  }
}
