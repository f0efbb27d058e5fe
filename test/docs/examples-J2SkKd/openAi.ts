// openai.ts
import { openAi } from "../../../src/gateway/providers/openai.ts";

export const told: [unknown, unknown][] = [];
openAi({ name: "openai", secret: "OPENAI_API_KEY", api: "responses", constrain: "schema", boundary: "off" });

export type Shown = typeof openAi;
