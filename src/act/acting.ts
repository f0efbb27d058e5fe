import type { Measure } from "../approve/licence.ts";
import type { Context } from "../contract/context.ts";
import type { Clock, Deadline, Ids, Spans } from "../contract/ports.ts";
import type { Database } from "../store/database.ts";
import type { StoreTime } from "../store/time.ts";
import type { Clients } from "./clients.ts";
import type { Hands } from "./hands.ts";
import type { Leases } from "./leases.ts";
import type { Recorder } from "./record.ts";
import type { Stops } from "./stops.ts";

/** What the acting half works with; put together by `worker.ts`. */
export interface Acting {
  readonly database: Database;
  readonly measure: Measure;
  readonly hands: Hands;
  readonly clients: Clients;
  readonly readRecords: Context["readRecords"];
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly storeTime: StoreTime;
  readonly ids: Ids;
  /** How long a worker holds an operation without renewing it, in milliseconds: so long a dead one's operations lie. */
  readonly leaseMs: number;
  readonly leases: Leases;
  readonly recorder: Recorder;
  readonly stops: Stops;
  /** `null` where nobody watches. */
  readonly spans: Spans | null;
}
