import type { Context } from "hono";
import { CountersignError } from "../contract/errors.ts";
import { canonicalJson } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import { fitToSchema, type Schema } from "../contract/schema.ts";
import { refuseAmbiguous } from "./json-text.ts";

/** Reads a JSON body of a known form. Throws `too_large`, `bad_json`, `bad_text` or `bad_request`, in that order of looking. */
export async function readBody<T>(context: Context, schema: Schema<T>): Promise<T> {
  const text = await readText(context);
  refuseOtherTypes(context.req.header("content-type"));
  const value = parse(text);
  refuseAmbiguous(text);
  return fitBody(schema, value);
}

/** Fits what a body said to its schema. Throws `bad_text` for what cannot be kept, `bad_request` for what does not fit. */
export async function fitBody<T>(schema: Schema<T>, value: unknown): Promise<T> {
  refuseUnkeepable(value);
  const fit = await fitToSchema(schema, value);
  if (fit.kind === "fits") return fit.value;
  throw new CountersignError("bad_request", `the body does not fit: ${fit.issues.slice(0, 5).join("; ")}`);
}

/** Reads a body as text. Throws `too_large`, or `bad_json` where it is not UTF-8. */
export async function readText(context: Context): Promise<string> {
  const declared = Number(context.req.header("content-length") ?? "0");
  if (declared > limits.bodyBytes) throw tooLarge();
  const reader = context.req.raw.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  for (let part = await nextPart(reader); part !== undefined; part = await nextPart(reader)) {
    bytes += part.byteLength;
    if (bytes > limits.bodyBytes) throw tooLarge();
    text += decoded(() => decoder.decode(part, { stream: true }));
  }
  return text + decoded(() => decoder.decode());
}

async function nextPart(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return (await reader.read()).value;
  } catch (cause) {
    // The caller hung up; nobody reads this answer, and nothing is wrong with us.
    throw new CountersignError("bad_request", "the body ended before it was whole; send it again", { cause });
  }
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new CountersignError("bad_json", "the body is not UTF-8; send it in UTF-8", { cause });
  }
}

function tooLarge(): CountersignError {
  return new CountersignError("too_large", `the body is larger than ${limits.bodyBytes} bytes; send less`);
}

/** A form of another site can send any text without asking first, but not under this type. */
function refuseOtherTypes(type: string | undefined): void {
  if (/^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(type ?? "")) return;
  throw new CountersignError("bad_json", "the body is not sent as JSON; send it with `content-type: application/json`, in UTF-8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CountersignError("bad_json", "the body is not JSON; send one JSON object", { cause });
  }
}

function refuseUnkeepable(value: unknown): void {
  try {
    canonicalJson(value);
  } catch (cause) {
    throw new CountersignError("bad_text", "the body holds NUL or a lone surrogate, which cannot be kept", { cause });
  }
}
