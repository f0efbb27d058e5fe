import { readFile, stat } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";

/** The text of a file that a command names. Throws `bad_request` for one that cannot be read or is larger than `mostBytes`. */
export async function readText(path: string, mostBytes: number): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= mostBytes) return await readFile(path, "utf8");
  } catch (cause) {
    throw new CountersignError("bad_request", `the file \`${path.slice(0, 200)}\` cannot be read`, { cause });
  }
  throw new CountersignError("bad_request", `the file \`${path.slice(0, 200)}\` is larger than ${mostBytes} bytes`);
}
