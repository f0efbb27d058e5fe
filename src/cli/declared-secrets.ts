import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CountersignError, type ErrorCode, errorCodes } from "../contract/errors.ts";
import { refuseSharedNames } from "../vault/environment.ts";

const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
const names = z.array(z.string());
const form = {
  deciding: z.strictObject({ reads: names, models: names }),
  acting: z.strictObject({ writes: names, observes: names }),
};
const errorForm = z.object({
  error: z.object({ code: z.custom<ErrorCode>((code) => Object.hasOwn(errorCodes, String(code))), message: z.string() }),
});

/**
 * Refuses a project whose halves declare a secret in common, or whose acting half would write and observe with the same. Each half
 * is loaded in a process of its own, without any secret, so that nobody ever loads both. Throws `configuration_invalid`, or what
 * keeps a half from being loaded.
 */
export async function refuseMixedSecrets(project: string): Promise<void> {
  const [deciding, acting] = await Promise.all([declared("deciding", project), declared("acting", project)]);
  refuseSharedNames({ ...form.deciding.parse(deciding), ...form.acting.parse(acting) });
}

function declared(side: "deciding" | "acting", project: string): Promise<unknown> {
  const { PATH, HOME } = process.env;
  const args = [program, "secret-names", side, "--project", project, "--json"];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env: { PATH, HOME }, timeout: 30_000 }, (failure, stdout) => {
      const said = jsonOf(stdout);
      if (failure === null && said !== undefined) return resolve(said);
      const told = errorForm.safeParse(said).data?.error;
      const message =
        told?.message ?? `the ${side} half of \`${project}\` could not be loaded within 30 s; \`countersign check\` loads it too`;
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
