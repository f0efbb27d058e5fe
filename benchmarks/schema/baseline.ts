import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { Schema } from "../../src/contract/schema.ts";

export type SchemaDraft = "2020-12" | "7";

/** How often something was as expected; the share is `null` where there was nothing to expect. */
export interface Agreement {
  readonly count: number;
  readonly right: number;
  readonly share: number | null;
}

export function agreementOf(count: number, right: number): Agreement {
  return { count, right, share: count === 0 ? null : right / count };
}

/** Whether a value fits a contract of ours, synchronously as contracts from elsewhere are. */
export function fits(contract: Schema<Json>, value: unknown): boolean {
  const result = contract["~standard"].validate(value);
  if (result instanceof Promise) throw new TypeError("a contract from elsewhere answers at once");
  return result.issues === undefined;
}

/**
 * The check of a schema by Ajv as it comes, with the checks of its own that would refuse a schema turned off; `null` where Ajv cannot
 * compile it all the same. What Ajv throws while it checks counts as a misfit.
 */
export function compileBaseline(schema: JsonObject | boolean, draft: SchemaDraft): ((value: unknown) => boolean) | null {
  const options = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const;
  const ajv = draft === "7" ? new Ajv(options) : new Ajv2020(options);
  try {
    const check = ajv.compile(schema);
    return (value) => {
      try {
        return check(value) === true;
      } catch {
        return false;
      }
    };
  } catch {
    return null;
  }
}
