import { CountersignError } from "../contract/errors.ts";

/** The algorithms by which a token may be signed: with a key pair, never with a shared secret, and never with nothing. */
const tokenAlgorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA"] as const;
type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/** The identity provider of an installation, as the desk's settings name it. */
export interface ProviderSettings {
  readonly issuer: string;
  /** Whom its bearer tokens must be made for; `null` where none are taken. */
  readonly audience: string | null;
  readonly jwksUrl: URL | null;
  readonly algorithms: readonly TokenAlgorithm[];
  /** The claim with somebody's roles; `null`, so that roles come from the table of accounts. */
  readonly rolesClaim: string | null;
  /** Signing in with a browser; `null` where that is not set up. */
  readonly client: { readonly id: string; readonly secret: string | null; readonly origin: URL } | null;
}

/**
 * Reads the settings of an identity provider; `null` where no issuer is named. `secret` gives the client's secret, where there is one.
 * Throws `configuration_invalid` for what cannot be, such as an address without TLS that is not this machine's own.
 */
export function providerSettings(env: NodeJS.ProcessEnv, secret: () => string | null): ProviderSettings | null {
  const issuer = env["COUNTERSIGN_OIDC_ISSUER"];
  if (issuer === undefined || issuer === "") return null;
  urlOf("COUNTERSIGN_OIDC_ISSUER", issuer);
  const audience = textOf(env["COUNTERSIGN_OIDC_AUDIENCE"]);
  const jwks = textOf(env["COUNTERSIGN_OIDC_JWKS_URL"]);
  if ((audience === null) !== (jwks === null))
    throw invalid(
      "`COUNTERSIGN_OIDC_AUDIENCE` and `COUNTERSIGN_OIDC_JWKS_URL` go together: whom tokens are for, and whose keys sign them",
    );
  const client = clientOf(env, secret);
  // An ID token says to the desk who signed in; as a bearer token it would let in whoever got hold of one.
  if (audience !== null && audience === client?.id)
    throw invalid(
      "`COUNTERSIGN_OIDC_AUDIENCE` is the client's id; give the API an audience of its own, so that an ID token opens nothing",
    );
  return {
    issuer,
    audience,
    jwksUrl: jwks === null ? null : urlOf("COUNTERSIGN_OIDC_JWKS_URL", jwks),
    algorithms: algorithmsOf(textOf(env["COUNTERSIGN_OIDC_ALGORITHMS"])),
    rolesClaim: textOf(env["COUNTERSIGN_OIDC_ROLES_CLAIM"]),
    client,
  };
}

function clientOf(env: NodeJS.ProcessEnv, secret: () => string | null): ProviderSettings["client"] {
  const id = textOf(env["COUNTERSIGN_OIDC_CLIENT_ID"]);
  if (id === null) return null;
  const origin = textOf(env["COUNTERSIGN_DESK_ORIGIN"]);
  if (origin === null)
    throw invalid("`COUNTERSIGN_OIDC_CLIENT_ID` needs `COUNTERSIGN_DESK_ORIGIN`: where browsers reach the desk");
  return { id, secret: secret(), origin: new URL(urlOf("COUNTERSIGN_DESK_ORIGIN", origin).origin) };
}

/** Says whether an address is of this machine alone, where TLS may be left out. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "127.0.0.1" || hostname === "localhost" || hostname === "[::1]";
}

function urlOf(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url !== null && url.username === "" && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))))
    return url;
  throw invalid(`\`${name}\` is no address with https; without TLS it may only be this machine's own`);
}

function algorithmsOf(list: string | null): readonly TokenAlgorithm[] {
  if (list === null) return ["RS256", "ES256", "EdDSA"];
  return list.split(",").map((one) => {
    const known = tokenAlgorithms.find((algorithm) => algorithm === one.trim());
    if (known !== undefined) return known;
    throw invalid(`\`COUNTERSIGN_OIDC_ALGORITHMS\` is a comma list of ${tokenAlgorithms.join(", ")}`);
  });
}

function textOf(setting: string | undefined): string | null {
  return setting === undefined || setting === "" ? null : setting;
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
