import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";

/** Reads a file of one JSON value a line, each of the form that is asked for; `null` where there is no such file. */
export async function readLines<T>(path: string, form: z.ZodType<T>): Promise<readonly T[] | null> {
  if (!existsSync(path)) return null;
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.flatMap((line, place) => (line.trim() === "" ? [] : [readLine(line, { path, number: place + 1, form })]));
}

/** Where a set of cases lies in the folder of all sets. */
export function setFile(data: string, { set, split, file }: { set: string; split: "open" | "held"; file: string }): string {
  return join(data, set, split, file);
}

function readLine<T>(line: string, { path, number, form }: { path: string; number: number; form: z.ZodType<T> }): T {
  const read = form.safeParse(jsonOf(line));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`\`${path}\`, line ${number}: ${issue?.path.join("/") ?? ""} ${issue?.message ?? "has not the expected form"}`);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
