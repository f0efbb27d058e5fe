import type { z } from "zod";
import type { Place } from "../routes.ts";

/** The headers that mean something to a route, beside the credential. */
export type OwnHeader = "Idempotency-Key" | "Prefer" | "Countersign-Session" | "Countersign-Reference-Time" | "Last-Event-ID";

/** One route of the API as it is described: what it does, what it takes and what it answers with. */
export interface Operation extends Place {
  readonly group:
    | "Session"
    | "Decisions"
    | "Reviews"
    | "Operations"
    | "Cases"
    | "Knowledge"
    | "Spend"
    | "Autonomy"
    | "Ledger"
    | "Boards";
  readonly summary: string;
  readonly headers?: readonly OwnHeader[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
  /** The reply is a list of these, as `{ items }`. */
  readonly isList?: true;
  /** The reply is a page of these, as `{ items, next }`. */
  readonly isPage?: true;
  /** What else the reply is sent as than JSON. */
  readonly type?: "text/event-stream";
  /** 200 where it is left out. */
  readonly status?: 200 | 201;
}
