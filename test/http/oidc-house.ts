import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import Provider from "oidc-provider";

/** The identity provider of these tests: a real one, listening on this machine. */
export interface TestProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** Lets a desk at this address send browsers here; before that it has no client. */
  readonly register: (deskUrl: string) => void;
  /** A token of the provider's own making for the client `robot`, from its token endpoint. */
  readonly clientToken: () => Promise<string>;
  /** A token under the provider's key, with whatever claims a test wants. */
  readonly signed: (claims: Record<string, unknown>, header?: { alg?: string; key?: KeyObject }) => Promise<string>;
  readonly close: () => Promise<void>;
}

export const audience = "countersign-api";
const secrets = { desk: "secret-of-the-desk-client", robot: "secret-of-the-robot-client" };
export const deskClient = { id: "desk-client", secret: secrets.desk };

/** Opens the provider on a free port. */
export async function openTestProvider(): Promise<TestProvider> {
  let handle: RequestListener = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "of-the-provider", use: "sig", alg: "RS256" };
  const register = (deskUrl: string): void => {
    const provider = new Provider(issuer, {
      jwks: { keys: [jwk] },
      cookies: { keys: ["a-key-of-the-tests"] },
      clients: [
        {
          ...{ client_id: deskClient.id, client_secret: deskClient.secret, grant_types: ["authorization_code"] },
          ...{ response_types: ["code"], redirect_uris: [`${deskUrl}/sign-in/callback`] },
        },
        {
          ...{ client_id: "robot", client_secret: secrets.robot, grant_types: ["client_credentials"] },
          ...{ response_types: [], redirect_uris: [] },
        },
      ],
      pkce: { required: () => true },
      features: {
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({ scope: "", audience, accessTokenFormat: "jwt" as const }),
        },
      },
      findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, groups: ["owner"] }) }),
      claims: { openid: ["sub", "groups"] },
      conformIdTokenClaims: false,
    });
    handle = provider.callback();
  };
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    register,
    clientToken: async () => {
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`robot:${secrets.robot}`).toString("base64")}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource: "urn:countersign" }),
      });
      const { access_token: token } = (await response.json()) as { access_token?: string }; // the provider's own form
      if (token === undefined) throw new Error("the provider gave no token");
      return token;
    },
    signed: (claims, { alg = "RS256", key = alg.startsWith("HS") ? publicKey : privateKey } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const all = { iss: issuer, aud: audience, iat: now, exp: now + 300, ...claims };
      const whole = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const bytes = alg.startsWith("HS") ? key.export({ type: "spki", format: "der" }) : null;
      return new SignJWT(whole)
        .setProtectedHeader({ alg, kid: "of-the-provider" })
        .sign(bytes === null ? key : new Uint8Array(bytes));
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

/** A browser that keeps cookies per host and follows redirects one by one, without script. */
export class WanderingBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  async send(
    url: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; url: string; location: string | null; html: string; headers: Headers }> {
    const { host } = new URL(url);
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: {
        accept: "text/html",
        ...(cookie === "" ? {} : { cookie }),
        ...(form === undefined ? {} : { origin: new URL(url).origin }),
      },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=", 2);
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get("location");
    return {
      ...{ status: response.status, url, html: await response.text(), headers: response.headers },
      location: location === null ? null : new URL(location, url).href,
    };
  }

  /** Goes where redirects lead, until a page comes or `until` matches the next address, which is given unvisited. */
  async follow(start: string, until?: RegExp): Promise<Awaited<ReturnType<WanderingBrowser["send"]>>> {
    let page = await this.send(start);
    for (let step = 0; page.location !== null && step < 20; step += 1) {
      if (until?.test(page.location)) return page;
      page = await this.send(page.location);
    }
    return page;
  }

  /** Says to the provider who one is, and agrees; gives the answer that leads back to the desk, not yet followed. */
  async agree(interaction: string, subject: string): Promise<string> {
    const back = /\/sign-in\/callback/;
    let url = interaction;
    for (const form of [{ prompt: "login", login: subject, password: "any" }, { prompt: "consent" }]) {
      const posted = await this.send(url, form);
      const page = await this.follow(posted.location ?? "", back);
      if (page.location !== null) return page.location;
      url = page.url;
    }
    throw new Error("the provider did not lead back");
  }
}
