import { createHmac } from "node:crypto";
import { CountersignError } from "../../contract/errors.ts";

/** The keys with which a webhook is signed: one, or during a rotation the new one and the old. */
export type WebhookKeys = readonly Buffer[];

/**
 * Reads the secret of a webhook: `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks has it; several, separated by spaces, sign
 * alike. Throws `configuration_invalid`, without the value.
 */
export function webhookKeys(secret: string, name: string): WebhookKeys {
  return secret
    .trim()
    .split(/\s+/)
    .map((one) => {
      const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(one)?.[1] ?? "";
      const key = Buffer.from(encoded, "base64");
      if (key.length >= 24 && key.length <= 64 && key.toString("base64") === encoded) return key;
      const message = `the secret \`${name}\` of a webhook has not the form \`whsec_\` with 24 to 64 bytes in base64`;
      throw new CountersignError("configuration_invalid", message, { facts: { name } });
    });
}

/** The headers by which a receiver knows a delivery and who sent it (Standard Webhooks 1.0); `at` in milliseconds since the epoch. */
export function signedHeaders({
  id,
  at,
  body,
  keys,
}: {
  id: string;
  at: number;
  body: string;
  keys: WebhookKeys;
}): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
