import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { isCountersignError } from "../../../src/contract/errors.ts";

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

const againMs = 2000;

/**
 * Listens to the desk: what it says has changed is read anew, by the first part of a query's key. That it cannot be reached is seen by the
 * stream, by the browser and by any request that fails; while it lasts the desk is tried again, and then everything is read anew.
 */
export function useLive(): void {
  const queries = useQueryClient();
  const isLost = useLostAt() !== null;
  useEffect(() => {
    const events = new EventSource("/v1/events");
    const look = () => void reach(queries);
    events.addEventListener("open", look);
    events.addEventListener("error", look);
    events.addEventListener("changed", (event) => readAgain(queries, topicsOf(event.data)));
    window.addEventListener("offline", look);
    window.addEventListener("online", look);
    const unsubscribe = queries.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.action.type !== "error") return;
      if (isCountersignError(event.action.error, "service_unavailable")) look();
    });
    return () => {
      events.close();
      window.removeEventListener("offline", look);
      window.removeEventListener("online", look);
      unsubscribe();
    };
  }, [queries]);
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(() => void reach(queries), againMs);
    return () => clearInterval(timer);
  }, [queries, isLost]);
}

/** A stream that ends is no lost connection yet: the desk may have begun anew, or the sign-in may have ended. */
async function reach(queries: QueryClient): Promise<void> {
  const wasLost = lostAt !== null;
  const status = await fetch("/v1/session", { headers: { accept: "application/json" } }).then(
    (response) => response.status,
    () => null,
  );
  setLostAt(status === null || status >= 500 ? Date.now() : null);
  if (status === 401) void queries.invalidateQueries({ queryKey: ["session"] });
  // What is held while somebody works is theirs to load.
  if (wasLost && lostAt === null) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "held" });
}

function readAgain(queries: QueryClient, topics: readonly string[]): void {
  void queries.invalidateQueries({ predicate: ({ queryKey: [topic] }) => typeof topic === "string" && topics.includes(topic) });
}

function topicsOf(data: unknown): readonly string[] {
  const told: unknown = typeof data === "string" ? JSON.parse(data) : null;
  const topics = typeof told === "object" && told !== null && "topics" in told ? told.topics : [];
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === "string") : [];
}
