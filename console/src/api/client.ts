import { type Client, createClient } from "../../../src/client/index.ts";
import type { SessionView } from "../../../src/contract/session.ts";

/** The desk's API for whoever has signed in here: the cookie says who, the token of the session that it is this page that asks. */
export function sessionClient({ token }: Pick<SessionView, "token">): Client {
  return createClient({ baseUrl: window.location.origin, fetch: sessionFetch(token) });
}

/** What every page needs first: who is signed in. Throws `unauthenticated` where nobody is. */
export function readSession(): Promise<SessionView> {
  return sessionClient({ token: null }).session();
}

function sessionFetch(token: string | null): typeof fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (token !== null && init.method === "POST") headers.set("countersign-token", token);
    return window.fetch(input, { ...init, headers, credentials: "same-origin" });
  };
}
