import { z } from "zod";
import { operations } from "../../src/server/openapi/operations.ts";
import type { Place } from "../../src/server/routes.ts";

/** Holds an answer of the API against its description; a route that is not described is none of the API. */
export function expectDescribed({ method, path }: Place, answer: { status: number; text: string }): void {
  const operation = operations.find((one) => one.method === method && one.path === path);
  if (operation === undefined) return;
  const { reply, isList, status = 200 } = operation;
  // What was there already is answered with 200.
  if (answer.status !== status && answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}`);
  const schema = isList ? z.strictObject({ items: z.array(reply) }) : reply;
  const read = schema.safeParse(JSON.parse(answer.text));
  if (!read.success) throw new Error(`${method} ${path} is not as described: ${z.prettifyError(read.error)}`);
}
