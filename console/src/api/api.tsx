import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Client } from "../../../src/client/index.ts";
import type { SessionView } from "../../../src/contract/session.ts";
import { sessionClient } from "./client.ts";

interface Api {
  readonly client: Client;
  readonly session: SessionView;
  /** The name of a person, where this desk knows it; else their id. */
  readonly nameOf: (id: string) => string;
}

const ApiContext = createContext<Api | null>(null);

/** Gives everything below it the client and the session of whoever has signed in. */
export function ApiProvider({ session, children }: { readonly session: SessionView; readonly children: ReactNode }): ReactNode {
  const api = useMemo(() => {
    const names = new Map([...session.people, session].map(({ id, name }) => [id, name]));
    return { client: sessionClient(session), session, nameOf: (id: string) => names.get(id) ?? id };
  }, [session]);
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** The client and the session of whoever has signed in. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error("this part stands outside of ApiProvider");
  return api;
}
