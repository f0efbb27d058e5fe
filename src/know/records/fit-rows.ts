import { CountersignError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { TypedQuery } from "../../contract/record-query.ts";
import { fitToSchema } from "../../contract/schema.ts";
import { changed } from "./faults.ts";

/** The params as the query's schema has them. Throws `definition_invalid`: what asks must ask in this form. */
export async function fitParams(
  { name, params: schema }: Pick<TypedQuery, "name" | "params">,
  params: JsonObject,
): Promise<JsonObject> {
  const fit = await fitToSchema(schema, params);
  if (fit.kind === "fits") return fit.value;
  // An issue may repeat the value, which may be somebody's own.
  const message = `the params of record query \`${name}\` do not fit their schema; fit the arguments of whatever asks for it`;
  throw new CountersignError("definition_invalid", message, { facts: { query: name } });
}

/** The rows as the query's schema has them. Throws `record_changed`, which names the first field that does not fit. */
export async function fitRows(query: Pick<TypedQuery, "name" | "row">, rows: readonly unknown[]): Promise<readonly JsonObject[]> {
  const fitted: JsonObject[] = [];
  for (const row of rows) {
    const fit = await fitToSchema(query.row, row);
    if (fit.kind === "misfits") throw changed(query.name, { column: columnOf(fit.issues), how: "does not fit its schema" });
    fitted.push(fit.value);
  }
  return fitted;
}

/** An issue is `/column/...: message`; the message may repeat the value. */
function columnOf([first = ""]: readonly string[]): string {
  const [, column = ""] = /^\/([^/:]{0,100})/.exec(first) ?? [];
  return column === "" ? "(the row)" : column;
}
