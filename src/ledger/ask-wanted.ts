import { makeCancel } from "../contract/cancel.ts";
import { isCountersignError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import type { Cancel } from "../contract/principal.ts";
import type { DecisionView } from "../contract/views.ts";
import type { Database } from "../store/database.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import type { PayloadKeys } from "./payload.ts";
import { endWanted, type TakenWanted, takeWanted, tenantsWithWanted, type Wanted } from "./wanted.ts";
import { endAfterFault, endByView, mostAttempts } from "./wanted-ends.ts";

/** What is asked of whoever decides: the wanted decision under a key of its own, so that asking twice decides once. */
export type WantedRequest = Omit<Wanted, "id" | "tenant" | "given"> & {
  readonly given: Json;
  readonly idempotencyKey: string;
  readonly cancel: Cancel;
};

/** What making wanted decisions needs; times are in milliseconds. */
export interface AskingWanted {
  /** Under the role `deciding`. */
  readonly database: Database;
  readonly keys: PayloadKeys;
  /** Decides through the ordinary graph; joins what was decided under the same key before. */
  readonly decide: (request: WantedRequest) => Promise<DecisionView>;
  readonly onError: (thrown: unknown) => void;
  /** How many are decided at a time. */
  readonly lanes?: number;
  /** How long one may take before it is cancelled, and tried again later. */
  readonly deadlineMs?: number;
  /** How long `stop` waits for what is being decided before it cancels that. */
  readonly graceMs?: number;
}

/** How long nobody else takes up what this process has in hand; whoever does so later finds it in progress, and waits. */
const leaseMs = 30_000;
/** How often it is looked for more; half as often where there was nothing. */
const lookMs = 250;
const skipsAfterFault = 20;

/** Makes the decisions that the acting half wants, until it is stopped; every deciding process may run one. */
export function startAskingWanted(asking: AskingWanted): Loop {
  const { lanes = 8, graceMs = 10_000, onError } = asking;
  const busy = new Set<Promise<void>>();
  const stopping = makeCancel();
  let skips = 0;
  const begin = (taken: TakenWanted): void => {
    const work = askOne(taken, { ...asking, stopping: stopping.cancel }).catch(onError);
    busy.add(work);
    void work.then(() => busy.delete(work));
  };
  const look = async (): Promise<void> => {
    if (skips > 0) {
      skips -= 1;
      return;
    }
    // One that throws is reported, and not again at once: what is away for a look is mostly away for some seconds.
    skips = skipsAfterFault;
    skips = (await takeUp({ asking, free: lanes - busy.size, begin })) === 0 ? 1 : 0;
  };
  const loop = startLoop({ work: look, everyMs: lookMs, onError });
  return {
    stop: async () => {
      await loop.stop();
      const timer = setTimeout(stopping.fire, graceMs);
      await Promise.all(busy);
      clearTimeout(timer);
    },
  };
}

async function takeUp({
  asking: { database, keys, onError },
  free,
  begin,
}: {
  asking: AskingWanted;
  free: number;
  begin: (taken: TakenWanted) => void;
}): Promise<number> {
  if (free <= 0) return 0;
  const tenants = (await acrossTenants({ database, look: tenantsWithWanted })) ?? [];
  let left = free;
  for (const [place, tenant] of tenants.entries()) {
    if (left <= 0) break;
    const limit = Math.ceil(left / (tenants.length - place));
    try {
      const taken = await database.inTenant(tenant, (tx) => takeWanted({ tx, tenant, limit, leaseMs }, keys));
      for (const one of taken) begin(one);
      left -= taken.length;
    } catch (thrown) {
      onError(thrown);
    }
  }
  return free - left;
}

async function askOne(taken: TakenWanted, asking: AskingWanted & { readonly stopping: Cancel }): Promise<void> {
  const end = await endOf(taken, asking);
  await asking.database.inTenant(taken.tenant, (tx) => endWanted(tx, taken, end));
}

async function endOf(taken: TakenWanted, { decide, onError, stopping, deadlineMs = 10 * 60_000 }: Parameters<typeof askOne>[1]) {
  const { id, capability, cause, asked, round } = taken;
  if (asked === null) return { state: "failed", code: "payload_unreadable", decisionId: null } as const;
  if (taken.attempts > mostAttempts) return { state: "failed", code: "decision_failed", decisionId: null } as const;
  const { cancel, fire } = makeCancel(stopping);
  const timer = setTimeout(fire, deadlineMs);
  try {
    return endByView(taken, await decide({ capability, cause, ...asked, idempotencyKey: `wanted:${id}:${round}`, cancel }));
  } catch (thrown) {
    if (!isCountersignError(thrown, "in_progress") && !isCountersignError(thrown, "input_invalid")) onError(thrown);
    return endAfterFault(taken, thrown);
  } finally {
    clearTimeout(timer);
  }
}
