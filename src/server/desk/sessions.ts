import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Identity } from "../../contract/identity.ts";

/** One person signed in with one browser. Kept in this process alone; the browser holds an opaque id and nothing else. No credential is kept. */
export interface Session extends Identity {
  /** Comes with whatever changes something, in a header or a field of a form; without it that is refused. */
  readonly token: string;
  readonly expiresAt: number;
}

/** The sessions of browsers: bounded in number and in time. */
export interface Sessions {
  /** Begins a session and gives the id that goes into the cookie. */
  readonly begin: (identity: Identity) => string;
  readonly find: (id: string | undefined) => Session | undefined;
  readonly end: (id: string | undefined) => void;
}

const lifetimeMs = 8 * 60 * 60 * 1000;
const mostSessions = 1000;
const mostSessionsOfOne = 10;

/** Makes an empty set of sessions. The oldest one ends where there would be too many. */
export function createSessions({ now }: { now: () => number }): Sessions {
  // Kept by the hash of the id, so that the time of a look-up tells nothing about an id.
  const byHash = new Map<string, Session>();
  return {
    begin: (identity) => {
      const id = randomBytes(32).toString("base64url");
      for (const [hash, { expiresAt }] of byHash) if (expiresAt <= now()) byHash.delete(hash);
      dropOldest(byHash, mostSessions - 1);
      dropOldestOf(byHash, identity);
      const token = randomBytes(32).toString("base64url");
      byHash.set(hashOf(id), { ...identity, token, expiresAt: now() + lifetimeMs });
      return id;
    },
    find: (id) => {
      if (id === undefined) return undefined;
      const session = byHash.get(hashOf(id));
      if (session !== undefined && session.expiresAt > now()) return session;
      byHash.delete(hashOf(id));
      return undefined;
    },
    end: (id) => {
      if (id !== undefined) byHash.delete(hashOf(id));
    },
  };
}

/** One person's many sign-ins end that person's own oldest session, nobody else's. */
function dropOldestOf(byHash: Map<string, Session>, { principal }: Identity): void {
  const own = [...byHash].filter(([, one]) => one.principal.tenant === principal.tenant && one.principal.id === principal.id);
  for (const [hash] of own.slice(0, Math.max(0, own.length - mostSessionsOfOne + 1))) byHash.delete(hash);
}

/** Says whether a form brought the token of its session; the time it takes tells nothing about the token. */
export function isToken({ token }: Pick<Session, "token">, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(hashOf(given)));
}

/** A map keeps the order in which its keys came. */
function dropOldest<T>(map: Map<string, T>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
