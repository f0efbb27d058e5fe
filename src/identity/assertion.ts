import { randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { sql } from "kysely";
import { z } from "zod";
import { type Assert, type Identify, keyScopes } from "../contract/identity.ts";
import { idPattern } from "../contract/limits.ts";
import type { Database } from "../store/database.ts";
import { readPublicKeys, readSigningKey } from "../store/signature.ts";
import { identityOf } from "./account-row.ts";

const issuer = "countersign-desk";
const audience = "countersign-decider";
const lifetimeSeconds = 60;
const type = "countersign-assertion+jwt";

const claimsForm = z.object({
  sub: z.string().regex(idPattern),
  tenant: z.string().regex(idPattern),
  scopes: z.array(z.enum(keyScopes)),
  roles: z.array(z.string().regex(idPattern)).optional(),
});

/** Makes the desk's assertions under its own key (PKCS8, DER, base64). A credential of the person's own never leaves the desk. */
export function openAsserting(privateKey: string): Assert {
  const { keyId, privateKey: key } = readSigningKey(privateKey);
  return ({ principal, scopes, rolesFrom }) =>
    new SignJWT({
      tenant: principal.tenant,
      scopes: [...scopes],
      ...(rolesFrom === "token" ? { roles: [...principal.roles] } : {}),
    })
      .setProtectedHeader({ alg: "EdDSA", kid: keyId, typ: type })
      .setSubject(principal.id)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .setJti(randomUUID())
      .sign(key);
}

/**
 * Reads assertions at the decider, which holds the desks' public keys alone (SPKI, DER, base64, joined by commas). The account is read
 * anew: an assertion says who, and the table of accounts says with which roles.
 */
export function openAsserted({ publicKeys, database }: { publicKeys: string; database: Database }): Identify {
  const keys = readPublicKeys(publicKeys.split(","));
  return async (credential) => {
    const claims = await claimsOf(credential, keys);
    if (claims === undefined) return undefined;
    const { tenant, sub, scopes, roles } = claims;
    const { rows } = await database.untenanted((store) =>
      sql`select * from countersign.account_now(${tenant}, ${sub})`.execute(store),
    );
    const identity = identityOf(rows, { scopes });
    // An agent's come from the table alone, cut to its person's.
    if (identity === undefined || roles === undefined || identity.principal.onBehalfOf !== null) return identity;
    return { ...identity, principal: { ...identity.principal, roles }, rolesFrom: "token" };
  };
}

async function claimsOf(
  credential: string,
  keys: ReturnType<typeof readPublicKeys>,
): Promise<z.infer<typeof claimsForm> | undefined> {
  try {
    const { payload } = await jwtVerify(
      credential,
      ({ kid }) => {
        const key = keys.get(kid ?? "");
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      // Both processes may stand on machines of their own; a few seconds between their clocks are forgiven.
      {
        algorithms: ["EdDSA"],
        issuer,
        audience,
        typ: type,
        requiredClaims: ["exp", "iat"],
        maxTokenAge: lifetimeSeconds,
        clockTolerance: 5,
      },
    );
    return claimsForm.safeParse(payload).data;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return undefined;
    throw thrown;
  }
}
