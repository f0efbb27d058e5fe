import { type Ended, type RunOptions, run } from "../start/installation.ts";

/** Runs a command with `--json` and gives the one object that it printed; throws where there is more, less or something on stderr. */
export async function runJson(
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ code: number | null; json: Printed }> {
  const ended = await run([...args, "--json"], options);
  return { code: ended.code, json: onlyObject(ended) };
}

/** What was printed: an object of the command's own form, which each test looks into. */
export interface Printed {
  readonly [member: string]: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly next: string };
}

function onlyObject({ stdout, stderr }: Ended): Printed {
  const lines = stdout.split("\n");
  if (stderr !== "" || lines.length !== 2 || lines[1] !== "") throw new Error(`not one line of JSON alone: ${stdout}${stderr}`);
  return JSON.parse(lines[0] ?? "");
}
