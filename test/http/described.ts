import { z } from "zod";
import { operations } from "../../src/server/openapi/operations.ts";
import type { Place } from "../../src/server/routes.ts";

/** Holds what the API is asked against its description, which is to be the form by which it reads. */
export function expectAsked({ method, path }: Place, asked: { body: unknown; query: string }): void {
  const operation = operations.find((one) => one.method === method && one.path === path);
  if (operation === undefined) return;
  const { body, query } = operation;
  for (const [what, schema, value] of [
    ["body", body, asked.body],
    ["query", query, Object.fromEntries(new URLSearchParams(asked.query))],
  ] as const) {
    const read = schema?.safeParse(value);
    if (read?.success === false)
      throw new Error(`the ${what} of ${method} ${path} is not as described: ${z.prettifyError(read.error)}`);
  }
}

/** Holds an answer of the API against its description; a route that is not described is none of the API. */
export function expectDescribed({ method, path }: Place, answer: { status: number; text: string }): void {
  const operation = operations.find((one) => one.method === method && one.path === path);
  if (operation === undefined) return;
  const { reply, isList, isPage, status = 200 } = operation;
  // What was there already is answered with 200.
  if (answer.status !== status && answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}`);
  const listed = isList ? z.strictObject({ items: z.array(reply) }) : reply;
  const schema = isPage ? z.strictObject({ items: z.array(reply), next: z.string().nullable() }) : listed;
  const read = schema.safeParse(JSON.parse(answer.text));
  if (!read.success) throw new Error(`${method} ${path} is not as described: ${z.prettifyError(read.error)}`);
}
