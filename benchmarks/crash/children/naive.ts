// The first control: a worker as one writes it without thinking. It calls, and then it records that it has called.
import pg from "pg";
import { openTarget } from "../project/connectors.ts";
import { standBy } from "./stand-by.ts";

standBy(async () => {
  const target = openTarget(process.env["TARGET_WRITE"] ?? "");
  const pool = new pg.Pool({ connectionString: process.env["NAIVE_URL"] ?? "", max: 1 });
  pool.on("error", () => {});
  process.send?.({ ready: null });
  process.once("disconnect", () => process.exit(0));
  for (;;) {
    const { rows } = await pool.query<{ thing: string }>("select thing from naive.task where not done order by thing limit 1");
    const thing = rows[0]?.thing;
    if (thing === undefined) return process.exit(0);
    const change = { kind: "naive", thing, value: thing, key: thing, fence: 0, expectedVersion: null } as const;
    // A call that failed is tried again, as a queue would.
    const isDone = await target.put(change, AbortSignal.timeout(1_000)).then(
      () => true,
      () => false,
    );
    if (isDone) await pool.query("update naive.task set done = true where thing = $1", [thing]);
  }
});
