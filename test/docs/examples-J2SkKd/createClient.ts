// index.ts
import { createClient } from "../../../src/client/index.ts";
declare const apiKey: string;
export const told: [unknown, unknown][] = [];
const client = createClient({ baseUrl: "http://127.0.0.1:4600", apiKey });
const asked = await client.ask({ text: "My laptop is worn out", idempotencyKey: "a-1", waitSeconds: 10 });
const state = asked.kind === "decided" ? asked.decision.state : asked.question;

export type Shown = typeof createClient;
