import type { DetailedError } from "@cedar-policy/cedar-wasm/nodejs";
import { CountersignError, type ErrorFacts } from "../../contract/errors.ts";

/** The error of policies that cannot be used; messages quote policies, which hold names of the project and nobody's data. */
export function invalidPolicy(message: string, facts: ErrorFacts = {}): CountersignError {
  return new CountersignError("policy_invalid", message, { facts });
}

/** The error of a file, or of a policy that begins on `firstLine` of it, with the line where it is wrong. */
export function invalidFile(
  { file, text, firstLine = 1 }: { readonly file: string; readonly text: string; readonly firstLine?: number },
  fault: DetailedError | undefined,
): CountersignError {
  const place = fault?.sourceLocations?.[0];
  const line = firstLine + lineOf(text, place?.start ?? 0);
  const what = fault?.message ?? "it could not be read";
  const help = fault?.help ?? place?.label ?? null;
  const sentence = help === null ? what : `${what} (${help})`;
  return invalidPolicy(`\`${file}:${line}\`: ${sentence}`, { file, line });
}

/** Places are told in bytes. */
function lineOf(text: string, byte: number): number {
  return Buffer.from(text).subarray(0, byte).toString().split("\n").length - 1;
}
