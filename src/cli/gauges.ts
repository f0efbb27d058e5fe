import { readBacklog } from "../ledger/backlog.ts";
import type { Database } from "../store/database.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import type { openTelemetry } from "../telemetry/telemetry.ts";

type Gauges = Parameters<typeof openTelemetry>[0]["gauges"];

/** No process but the acting and the reading one has queues. */
export const noGauges: Gauges = async () => [];

/** The queues of the acting half, and how far sealing is behind. */
export function backlogGauges(database: Database): Gauges {
  return async () => {
    const backlog = await acrossTenants({ database, look: readBacklog });
    if (backlog === null) return [];
    return [
      ...backlog.queues.flatMap(({ queue, length, overdueMs }) => [
        { name: "countersign.queue.length" as const, labels: { queue }, value: length },
        { name: "countersign.queue.age" as const, labels: { queue }, value: overdueMs / 1000 },
      ]),
      { name: "countersign.seal.lag", labels: {}, value: backlog.sealLagMs / 1000 },
    ];
  };
}
