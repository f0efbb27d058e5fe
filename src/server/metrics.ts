import { timingSafeEqual } from "node:crypto";
import { CountersignError } from "../contract/errors.ts";
import type { FaultLog } from "./problem.ts";
import { createRoutes, type Routes } from "./routes.ts";

/**
 * The routes of the listener on which one process tells its figures. It is a listener of its own, on the loopback address, and its one route wants the
 * metrics key in `Authorization: Bearer`; nobody's account and no key of an account opens it.
 */
export function metricsRoutes({ text, key, log }: { text: () => Promise<string>; key: string; log: FaultLog }): Routes {
  const routes = createRoutes({ log, identify: async () => undefined });
  routes.keyed(
    { method: "GET", path: "/metrics" },
    (credential) => isSame(credential, key),
    async (context) => {
      context.header("content-type", "text/plain; version=0.0.4; charset=utf-8");
      context.header("cache-control", "no-store");
      return context.body(await text());
    },
  );
  return routes;
}

/** Throws `configuration_invalid` for a key that can be guessed. */
export function checkMetricsKey(key: string): string {
  if (/^[!-~]{24,200}$/.test(key)) return key;
  throw new CountersignError(
    "configuration_invalid",
    "`COUNTERSIGN_METRICS_KEY` is 24 to 200 printable characters without space; make one with `openssl rand -hex 32`",
  );
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
