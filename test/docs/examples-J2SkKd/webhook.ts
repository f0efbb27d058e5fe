// webhook.ts
import { webhook } from "../../../src/act/notify/webhook.ts";

export const told: [unknown, unknown][] = [];
webhook({ url: "https://hooks.example.com/countersign", secret: "NOTICE_SIGNING_SECRET" })

export type Shown = typeof webhook;
