// mail.ts
import { mail } from "../../../src/act/notify/mail.ts";

export const told: [unknown, unknown][] = [];
mail({ secret: "SMTP_URL", from: "countersign@example.com", addressOf: ({ kind, name }) => (kind === "owner" ? [`${name}@example.com`] : []) })

export type Shown = typeof mail;
