import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { CountersignError, messageOf } from "../contract/errors.ts";
import type { ProviderSignIn } from "../contract/identity.ts";
import { isLoopback, type ProviderSettings } from "./provider-settings.ts";
import { rolesIn, type Subject } from "./tokens.ts";

/** Under the desk's own address, and registered with the provider. */
const callbackPath = "/sign-in/callback";

/**
 * Opens signing in with a browser at an identity provider: the authorization code flow with PKCE, state and nonce, and an ID token whose
 * signature is checked. `null` where no client is set up. Throws `service_unavailable` where the provider does not answer.
 */
export function openProviderSignIn(
  settings: ProviderSettings,
  identify: (subject: Subject) => ReturnType<ProviderSignIn["end"]>,
): ProviderSignIn | null {
  const { client, issuer, rolesClaim } = settings;
  if (client === null) return null;
  const callback = new URL(callbackPath, client.origin).href;
  let found: Promise<Configuration> | null = null;
  // Asked again where it failed, so that a provider that was away at the start does no lasting harm.
  const provider = (): Promise<Configuration> => {
    found ??= discovered(settings, client).catch((thrown) => {
      found = null;
      throw thrown;
    });
    return found;
  };
  return {
    providerName: new URL(issuer).host,
    begin: async () => {
      const pending = { verifier: randomPKCECodeVerifier(), state: randomState(), nonce: randomNonce() };
      const url = buildAuthorizationUrl(await provider(), {
        ...{ redirect_uri: callback, scope: "openid", state: pending.state, nonce: pending.nonce },
        ...{ code_challenge: await calculatePKCECodeChallenge(pending.verifier), code_challenge_method: "S256" },
      });
      return { url: url.href, pending };
    },
    end: async ({ search, pending: { verifier, state, nonce } }) => {
      const claims = await claimsOf(await provider(), { current: new URL(search, callback), verifier, state, nonce });
      if (claims === undefined) return undefined;
      const roles = rolesClaim === null ? null : rolesIn(claims, rolesClaim);
      return identify({ issuer, subject: claims.sub, isClient: false, roles });
    },
  };
}

async function discovered(
  { issuer }: ProviderSettings,
  { id, secret }: NonNullable<ProviderSettings["client"]>,
): Promise<Configuration> {
  const url = new URL(issuer);
  const execute = isLoopback(url) ? [allowInsecureRequests, enableNonRepudiationChecks] : [enableNonRepudiationChecks];
  try {
    return await discovery(url, id, secret ?? undefined, secret === null ? None() : undefined, { execute, timeout: 10 });
  } catch (thrown) {
    const message = "the identity provider does not answer, or not as one; try again, or see `COUNTERSIGN_OIDC_ISSUER`";
    throw new CountersignError("service_unavailable", message, { cause: thrown });
  }
}

interface Ending {
  readonly current: URL;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

/** The claims of the ID token; nothing where the provider, or whoever led here, did not say what was agreed. */
async function claimsOf(
  provider: Configuration,
  { current, verifier, state, nonce }: Ending,
): Promise<({ readonly sub: string } & Readonly<Record<string, unknown>>) | undefined> {
  try {
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    return (await authorizationCodeGrant(provider, current, checks)).claims();
  } catch (thrown) {
    if (!isOfNetwork(thrown)) return undefined;
    throw new CountersignError("service_unavailable", "the identity provider does not answer; sign in again", {
      facts: { reason: messageOf(thrown).slice(0, 80) },
      cause: thrown,
    });
  }
}

/** `fetch` throws this where nobody answers; everything else is about what was said. */
function isOfNetwork(thrown: unknown): boolean {
  return thrown instanceof TypeError && thrown.message === "fetch failed";
}
