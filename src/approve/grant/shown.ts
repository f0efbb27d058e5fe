import type { Principal } from "../../contract/principal.ts";
import type { DecisionView } from "../../contract/views.ts";
import type { Project } from "../../define/project.ts";
import { isStillSigned } from "../../define/recompute.ts";
import type { Policy } from "../../guard/policy/policy.ts";
import type { Database } from "../../store/database.ts";
import type { StoreTime } from "../../store/time.ts";
import { readTaken } from "./taken.ts";

/** Adds to views what the desk knows beside the ledger. */
export type Shown = (principal: Principal, views: readonly DecisionView[]) => Promise<readonly DecisionView[]>;

/**
 * Makes that: what the definitions say (what targets offer against doubles, whether the capability's version still counts), and to
 * whoever may review, who has taken up what waits.
 */
export function openShown({
  project,
  policy,
  database,
  storeTime,
}: {
  project: Project;
  policy: Policy;
  database: Database;
  storeTime: StoreTime;
}): Shown {
  const defined = definedBy(project);
  return async (principal, views) => {
    const shown = views.map(defined);
    const waiting = shown.filter(({ state }) => state === "waiting" || state === "needs_person").map(({ id }) => id);
    if (waiting.length === 0 || policy.mayReview(principal).kind === "refused") return shown;
    const { tenant } = principal;
    const taken = await database.inTenant(tenant, async (tx) =>
      readTaken({ tx, tenant, decisionIds: waiting, now: await storeTime(tx) }),
    );
    return shown.map((view) => ({ ...view, taken: taken.get(view.id) ?? null }));
  };
}

function definedBy({ effects, capabilities }: Project): (view: DecisionView) => DecisionView {
  const dedupes = new Map(effects.map(({ name, dedupe }) => [name, dedupe]));
  const known = new Map(capabilities.map((capability) => [capability.name, capability]));
  return (view) => {
    const capability = known.get(view.capability);
    const isOld = view.state === "waiting" && (capability === undefined || !isStillSigned(capability, view.capabilityVersion));
    return {
      ...view,
      effects: view.effects.map((effect) => ({ ...effect, dedupe: dedupes.get(effect.effect) ?? null })),
      obstacle: view.obstacle ?? (isOld ? "capability_changed" : null),
    };
  };
}
