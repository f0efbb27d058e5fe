import { createHash } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";
import type { Principal } from "../contract/principal.ts";

const keyRecord = z.strictObject({
  /** SHA-256 of the key, in hex: the key itself is kept nowhere. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  tenant: z.string().regex(idPattern),
  id: z.string().regex(idPattern),
  name: z.string().optional(),
  roles: z.array(z.string().regex(idPattern)),
  attributes: z.record(z.string(), z.json()).optional(),
  onBehalfOf: z.string().regex(idPattern).nullable().optional(),
});

/** Whom a key belongs to; `name` is for pages only and goes into no entry. */
export interface Identity {
  readonly principal: Principal;
  readonly name: string;
}

/** Turns a key into the identity that it belongs to, or nothing. */
export type Identify = (key: string) => Identity | undefined;

/**
 * Reads the list of API keys from its setting. The desk's holds the hashes of people's own keys, the decider's those of the keys that
 * are derived from them (`decider-key.ts`). Throws `configuration_invalid`; the message never holds a key.
 */
export function parseApiKeys(setting: string): Identify {
  const byHash = new Map<string, Identity>();
  for (const { hash, tenant, id, name, roles, attributes, onBehalfOf } of keyList(setting)) {
    const principal = { tenant, id, roles, attributes: attributes ?? {}, onBehalfOf: onBehalfOf ?? null };
    byHash.set(hash, { principal, name: name ?? id });
  }
  // The look-up is over hashes of secrets, so its timing tells nothing about a key.
  return (key) => byHash.get(createHash("sha256").update(key).digest("hex"));
}

function keyList(setting: string): z.infer<typeof keyRecord>[] {
  try {
    return z.array(keyRecord).parse(JSON.parse(setting));
  } catch {
    throw new CountersignError(
      "configuration_invalid",
      "`COUNTERSIGN_API_KEYS` is not a JSON list of `{hash, tenant, id, roles}`",
    );
  }
}

/** The identity behind a request's bearer key. Throws `unauthenticated`, or `wrong_tenant` where the request names another tenant. */
export function authenticate(context: Context, identify: Identify): Identity & { key: string } {
  const key = /^Bearer ([!-~]{8,512})$/.exec(context.req.header("authorization") ?? "")?.[1];
  const identity = key === undefined ? undefined : identify(key);
  if (key === undefined || identity === undefined) {
    throw new CountersignError("unauthenticated", "no valid API key came with the request; send `Authorization: Bearer <key>`");
  }
  const named = context.req.header("countersign-tenant");
  if (named !== undefined && named !== identity.principal.tenant) {
    throw new CountersignError("wrong_tenant", "the key belongs to another tenant than the request names");
  }
  return { ...identity, key };
}
