import type { AnyEffect } from "../../contract/effect.ts";
import type { Principal } from "../../contract/principal.ts";
import type { DecisionView, EffectView } from "../../contract/views.ts";
import type { Project } from "../../define/project.ts";
import { isStillSigned } from "../../define/recompute.ts";
import type { Policy } from "../../guard/policy/policy.ts";
import { type Stopped, stoppedScopes } from "../../ledger/halts.ts";
import type { Database } from "../../store/database.ts";
import type { StoreTime } from "../../store/time.ts";
import { outcomesOf } from "./outcomes.ts";
import { readTaken } from "./taken.ts";

/** Adds to views what the desk knows beside the ledger. */
export type Shown = (principal: Principal, views: readonly DecisionView[]) => Promise<readonly DecisionView[]>;

/**
 * Makes that: what the definitions say (what targets offer against doubles, whether the capability's version still counts, what may be
 * said of what was left to people), what is stopped, and to whoever may review, who has taken up what waits.
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
    const { tenant } = principal;
    const mayReview = policy.mayReview(principal).kind === "permitted";
    const waiting = mayReview ? shown.filter(isWaiting).map(({ id }) => id) : [];
    if (waiting.length === 0 && !shown.some(({ effects }) => effects.some(isOpen))) return shown;
    return database.inTenant(tenant, async (tx) => {
      const stopped = await stoppedScopes(tx, tenant);
      const taken = waiting.length === 0 ? null : await readTaken({ tx, tenant, decisionIds: waiting, now: await storeTime(tx) });
      return shown.map((view) => ({ ...withStops(view, stopped), taken: taken?.get(view.id) ?? null }));
    });
  };
}

function isWaiting({ state }: DecisionView): boolean {
  return state === "waiting" || state === "needs_person";
}

function withStops(view: DecisionView, { scopeOf }: Stopped): DecisionView {
  const { capability } = view;
  const effects = view.effects.map((one) =>
    isOpen(one) ? { ...one, stopped: scopeOf({ effect: one.effect, capability }) } : one,
  );
  return { ...view, effects };
}

/** Says whether anything might still be sent for an effect. */
function isOpen({ state }: EffectView): boolean {
  return state !== "complete" && state !== "refused";
}

function definedBy(project: Project): (view: DecisionView) => DecisionView {
  const effects = new Map(project.effects.map((effect) => [effect.name, effect]));
  const known = new Map(project.capabilities.map((capability) => [capability.name, capability]));
  return (view) => {
    const capability = known.get(view.capability);
    const isOld = view.state === "waiting" && (capability === undefined || !isStillSigned(capability, view.capabilityVersion));
    return {
      ...view,
      effects: view.effects.map((effect) => ({
        ...effect,
        ...saidOf(effects.get(effect.effect)),
        resolvable: isLeft(effect) ? outcomesOf(project, effect.effect) : [],
      })),
      obstacle: view.obstacle ?? (isOld ? "capability_changed" : null),
    };
  };
}

/** What an effect's definition says of what happens on approval; nothing where it is not defined here any more. */
function saidOf(effect: AnyEffect | undefined): Pick<EffectView, "dedupe" | "undoneBy" | "seenWithinMs"> {
  if (effect === undefined) return { dedupe: null, undoneBy: null, seenWithinMs: null };
  const { dedupe, compensate, expect } = effect;
  return { dedupe, undoneBy: compensate?.effect.name ?? null, seenWithinMs: expect.deadlineMs };
}

/** Left to people, and nobody has said yet what became of it, or what was said did not end it. */
function isLeft({ state, resolution }: EffectView): boolean {
  return state === "escalated" && (resolution === null || resolution.isDone);
}
