import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** As whom an identity provider knows somebody. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
  /** The token was given to a client for itself, and to nobody in person. */
  readonly isClient: boolean;
  /** Where roles come from the provider, by configuration. */
  readonly roles: readonly string[] | null;
}

/** Clocks of two machines may differ by this much, in seconds. */
const leewaySeconds = 60;

/**
 * Opens the reading of bearer tokens (RFC 9068) under the provider's published keys, which are fetched when they are needed and kept.
 * Gives nothing for a token that is no good; throws `service_unavailable` where the keys cannot be had.
 */
export function openTokens(settings: ProviderSettings): (token: string) => Promise<Subject | undefined> {
  const { issuer, audience, jwksUrl, algorithms } = settings;
  if (audience === null || jwksUrl === null) return async () => undefined;
  // Keys that nobody knows make it ask again, at most twice a minute.
  const keys = createRemoteJWKSet(jwksUrl, { timeoutDuration: 5_000, cooldownDuration: 30_000 });
  return async (token) => {
    const payload = await verified(() =>
      jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms: [...algorithms] },
        ...{ clockTolerance: leewaySeconds, requiredClaims: ["exp", "iat", "sub"] },
      }),
    );
    if (payload === undefined || isFromTheFuture(payload) || isIdToken(payload)) return undefined;
    return subjectOf(payload, settings);
  };
}

/** What only an ID token carries (OpenID Connect Core 1.0, section 2): it says that somebody signed in elsewhere, and opens nothing. */
function isIdToken(payload: JWTPayload): boolean {
  return ["nonce", "at_hash", "c_hash"].some((claim) => payload[claim] !== undefined);
}

/** The roles that a provider's claim names: those of the form of a role, and none for anything else. */
export function rolesIn(claims: Readonly<Record<string, unknown>>, rolesClaim: string): readonly string[] {
  const list = z.array(z.unknown()).safeParse(claims[rolesClaim]).data ?? [];
  return [...new Set(list.filter((one): one is string => typeof one === "string" && idPattern.test(one)))];
}

function subjectOf(payload: JWTPayload, { issuer, rolesClaim }: ProviderSettings): Subject | undefined {
  const { sub, client_id: clientId } = payload;
  if (sub === undefined || sub === "") return undefined;
  return { issuer, subject: sub, isClient: clientId === sub, roles: rolesClaim === null ? null : rolesIn(payload, rolesClaim) };
}

/** `jose` looks at `exp` and `nbf`; a token that says it was made later than now is no good either. */
function isFromTheFuture({ iat }: JWTPayload): boolean {
  return iat === undefined || iat > Date.now() / 1000 + leewaySeconds;
}

async function verified(verify: () => Promise<{ payload: JWTPayload }>): Promise<JWTPayload | undefined> {
  try {
    return (await verify()).payload;
  } catch (thrown) {
    if (isUnreachable(thrown)) {
      const message = "the identity provider's keys cannot be had, so no token can be read; try again";
      throw new CountersignError("service_unavailable", message, { cause: thrown });
    }
    if (thrown instanceof errors.JOSEError) return undefined;
    throw thrown;
  }
}

/** No answer, no connection, or an answer that is no set of keys; everything else is about the token. */
function isUnreachable(thrown: unknown): boolean {
  if (thrown instanceof errors.JWKSTimeout || thrown instanceof errors.JWKSInvalid) return true;
  return thrown instanceof TypeError || (thrown instanceof errors.JOSEError && thrown.code === "ERR_JOSE_GENERIC");
}
