// json.ts
import { canonicalJson } from "../../../src/contract/json.ts";

export const told: [unknown, unknown][] = [];
told.push([canonicalJson({ b: 1, a: [true, null] }), '{"a":[true,null],"b":1}']);

export type Shown = typeof canonicalJson;
