import { isCountersignError } from "../contract/errors.ts";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import { lockNextApprovals, type NextApprovals, type PlacedApproval } from "./approvals.ts";
import { type Reserved, reserve, reserveTogether } from "./reserve.ts";

/** Takes the open approvals of effects that are next, as `reserve` does those of given ids; returns them too. */
export async function reserveNext(
  next: NextApprovals,
  acting: Acting,
): Promise<{ readonly held: readonly PlacedApproval[]; readonly reserved: readonly Reserved[] }> {
  const { tenant } = next;
  let held: readonly PlacedApproval[] = [];
  const hold = async (tx: Tx) => {
    held = await lockNextApprovals(tx, next);
    return held;
  };
  try {
    const reserved = await reserveTogether({ tenant, hold }, acting);
    return { held, reserved };
  } catch (thrown) {
    if (held.length === 0 || isCountersignError(thrown, "database_unavailable")) throw thrown;
    const reserved = await reserve({ tenant, ids: held.map(({ id }) => id) }, acting);
    return { held, reserved };
  }
}
