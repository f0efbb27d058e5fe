import type { LicensedEffect } from "../approve/licence.ts";
import type { Tx } from "../store/database.ts";
import { countSince } from "./operations.ts";

const hourMs = 3_600_000;

/**
 * Of what is to begin those that their effects' rate leaves room for; the rest waits. Several workers count at the same time, so a
 * rate may be passed by what they begin in the same instant.
 */
export async function withinRates<T extends { readonly licence: Pick<LicensedEffect, "task"> }>(
  begins: readonly T[],
  { tx, tenant, now }: { tx: Tx; tenant: string; now: number },
): Promise<readonly T[]> {
  const room = new Map<string, number>();
  for (const { licence } of begins) {
    const { name, limits } = licence.task.effect;
    if (limits?.perHour === undefined || room.has(name)) continue;
    const limit = limits.perHour;
    room.set(name, limit - (await countSince(tx, { tenant, effect: name, since: now - hourMs, limit })));
  }
  return begins.filter(({ licence }) => {
    const { name } = licence.task.effect;
    const left = room.get(name);
    if (left === undefined) return true;
    room.set(name, left - 1);
    return left > 0;
  });
}
