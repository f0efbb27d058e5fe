import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";

let lostAt: number | null = null;
const listeners = new Set<() => void>();

function setLostAt(at: number | null): void {
  if ((lostAt === null) === (at === null)) return;
  lostAt = at;
  for (const tell of listeners) tell();
}

/** Since when the desk cannot be reached, in milliseconds; `null` while it can. Signing is closed meanwhile. */
export function useLostAt(): number | null {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => lostAt,
  );
}

/**
 * Listens to the desk: what it says has changed is read anew, by the first part of a query's key. The browser connects again by itself;
 * what was missed meanwhile is read once the connection stands.
 */
export function useLive(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const events = new EventSource("/v1/events");
    let wasLost = false;
    events.addEventListener("open", () => {
      setLostAt(null);
      if (wasLost) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "held" });
      wasLost = false;
    });
    events.addEventListener("error", () => {
      wasLost = true;
      void reach(queries);
    });
    events.addEventListener("changed", (event) => readAgain(queries, topicsOf(event.data)));
    return () => events.close();
  }, [queries]);
}

/** A stream that ends is no lost connection yet: the desk may have begun anew, or the sign-in may have ended. */
async function reach(queries: QueryClient): Promise<void> {
  try {
    const response = await fetch("/v1/session", { headers: { accept: "application/json" } });
    if (response.status === 401) void queries.invalidateQueries({ queryKey: ["session"] });
    setLostAt(response.status >= 500 ? Date.now() : null);
  } catch {
    setLostAt(Date.now());
  }
}

function readAgain(queries: QueryClient, topics: readonly string[]): void {
  void queries.invalidateQueries({ predicate: ({ queryKey: [topic] }) => typeof topic === "string" && topics.includes(topic) });
}

function topicsOf(data: unknown): readonly string[] {
  const told: unknown = typeof data === "string" ? JSON.parse(data) : null;
  const topics = typeof told === "object" && told !== null && "topics" in told ? told.topics : [];
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === "string") : [];
}
