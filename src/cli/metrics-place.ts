import { CountersignError } from "../contract/errors.ts";
import type { Spans } from "../contract/ports.ts";
import { listen } from "../server/listen.ts";
import { checkMetricsKey, metricsRoutes } from "../server/metrics.ts";
import { systemClock } from "../store/clock.ts";
import { openTelemetry } from "../telemetry/telemetry.ts";
import { logFault } from "./log-fault.ts";
import { portNumber } from "./port.ts";

type Opening = Pick<Parameters<typeof openTelemetry>[0], "process" | "names" | "gauges">;

/** What a process measures, and the listener on which it tells its figures; `close` ends that. */
export interface Watched {
  readonly spans: Spans | null;
  readonly close: () => Promise<void>;
}

/**
 * Opens what this process tells whoever watches: spans and figures for an SDK that is registered, and where `COUNTERSIGN_METRICS_PORT` is set `/metrics` on the
 * loopback address, under the key that `secret` gives. Throws `configuration_invalid` for a port without a good key, `port_taken`.
 */
export async function openWatched(opening: Opening, secret: (name: string) => string): Promise<Watched> {
  const port = process.env["COUNTERSIGN_METRICS_PORT"] ?? "";
  const telemetry = openTelemetry({ ...opening, isRead: port !== "", now: systemClock.monotonic });
  if (port === "") return { spans: telemetry.spans, close: async () => {} };
  const key = checkMetricsKey(secret("COUNTERSIGN_METRICS_KEY"));
  const app = metricsRoutes({ text: telemetry.text, key, log: logFault });
  const { close } = await listen({ app, host: "127.0.0.1", port: portNumber(port) });
  return { spans: telemetry.spans, close };
}

/** Each process that `start` runs has a port of its own: the first one's, and those after it. */
const places = { deciding: 0, desk: 1, acting: 2, ingesting: 3 } as const;

/** What `start` hands down of its own environment, for one process. Throws `configuration_invalid` for a port that leaves no room for all. */
export function metricsVariables(env: NodeJS.ProcessEnv, role: keyof typeof places): Readonly<Record<string, string>> {
  const text = env["COUNTERSIGN_METRICS_PORT"] ?? "";
  if (text === "") return {};
  const first = portNumber(text);
  if (first < 1 || first + places.ingesting > 65_535)
    throw new CountersignError(
      "configuration_invalid",
      "`COUNTERSIGN_METRICS_PORT` is a port from 1 to 65532; the three after it are used too",
    );
  return {
    COUNTERSIGN_METRICS_PORT: String(first + places[role]),
    COUNTERSIGN_METRICS_KEY: env["COUNTERSIGN_METRICS_KEY"] ?? "",
  };
}
