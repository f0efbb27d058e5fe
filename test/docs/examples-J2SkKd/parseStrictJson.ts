// parse.ts
import { parseStrictJson } from "../../../src/gateway/parse.ts";

export const told: [unknown, unknown][] = [];
told.push([parseStrictJson('{"a":1,"\\u0061":2}'), { kind: "refused", problem: "the reply has the key `a` twice in one object" }]);

export type Shown = typeof parseStrictJson;
