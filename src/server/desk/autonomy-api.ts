import type { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { calibrationQuery, simulationQuery, sliceBody } from "../requests.ts";
import type { Routes } from "../routes.ts";

const reads = { method: "GET", who: "overseer", scope: "read" } as const;

/** Adds what slices have earned, what a threshold would have let through, a calibration from the evidence, and the signing of thresholds. */
export function addAutonomyApi(routes: Routes, { desk }: { desk: Desk }): void {
  routes.bearer({ ...reads, path: "/v1/autonomy" }, async (context, { principal }) =>
    context.json(await desk.autonomy({ principal })),
  );
  routes.bearer({ ...reads, path: "/v1/autonomy/simulation" }, async (context, { principal }) => {
    const wants = "`capability`, `slice` and `thresholdPpm` in parts per million";
    return context.json(await desk.simulation({ principal, ...queryOf(simulationQuery, context.req.query(), wants) }));
  });
  routes.bearer({ ...reads, path: "/v1/autonomy/calibration" }, async (context, { principal }) =>
    context.json(await desk.calibration({ principal, ...queryOf(calibrationQuery, context.req.query(), "`capability`") })),
  );
  routes.bearer({ method: "POST", path: "/v1/slices", who: "owner", scope: "admin" }, async (context, { principal }) => {
    const { approvalIds, entryIds } = await desk.openSlice({ principal, ...(await readBody(context, sliceBody)) });
    return context.json({ approvalId: approvalIds[0], entryId: entryIds[0] }, 201);
  });
}

function queryOf<T>(schema: z.ZodType<T>, query: Record<string, string>, wants: string): T {
  const read = schema.safeParse(query);
  if (read.success) return read.data;
  throw new CountersignError("bad_request", `this route is asked with ${wants}`);
}
