import type { Compensation, Snapshot } from "../../contract/effect.ts";
import type { Json } from "../../contract/json.ts";
import { fitToSchema } from "../../contract/schema.ts";
import type { Bench } from "./bench.ts";
import { type Cell, type Demand, judged, notApplicable } from "./cell.ts";
import { firstEnvironment, paramsOf, saysDone, type Trial, tryOut } from "./trial.ts";
import { watchHands } from "./watch-hands.ts";

/**
 * Undoing is an effect of its own: its params are good, nothing of it is sent before it is signed, it is done once it is, and a second
 * one of the same changes nothing more.
 */
export const compensationLimits: Cell = async (bench) => {
  const { compensate, owner } = bench.effect;
  if (compensate === undefined) return notApplicable(`no compensation is declared: \`${owner}\` is called`);
  const done = await tryOut(bench);
  const params = await undoingParams(bench, { compensate, done });
  if (params === null) return { state: "failed", says: "what `compensate.params` returns does not fit the effect that undoes" };
  const { sample, place } = done.target;
  const change = {
    tenant: place.tenant,
    environment: firstEnvironment(bench),
    effect: compensate.effect,
    sample: { params, askedBy: sample.askedBy },
  };
  const watched = watchHands({ hands: bench.hands, effect: compensate.effect.name, interference: {} });
  const working = { hands: watched.hands, isCredentialSpoilt: false };
  const reached = () => watched.reached(compensate.effect.name);
  const [first, second] = [await bench.propose(change), await bench.propose(change)];
  await bench.work({ ...first, ...working });
  const unsigned = reached();
  await bench.sign(first);
  await bench.sign(second);
  await bench.work({ ...first, ...working });
  const isUndone = (await bench.story(first)).operations.some(({ state }) => state === "complete");
  const demands: readonly Demand[] = [
    [saysDone(done), "what was to be undone was not done"],
    [compensate.effect.name !== bench.effect.name, "the effect undoes itself"],
    [unsigned === 0, "it was undone before anybody had signed that"],
    [isUndone, `\`${compensate.effect.name}\` was signed and not seen as done`],
    [reached() === 1, "it was undone twice"],
  ];
  return judged([done], demands, `\`${compensate.effect.name}\` takes a signature of its own, was seen as done, and once`);
};

/** The params of the effect that undoes, from what the trial did; `null` where they do not fit. */
async function undoingParams(
  bench: Bench,
  { compensate, done }: { compensate: Compensation; done: Trial },
): Promise<Json | null> {
  const params = paramsOf(done);
  const { tenant } = done.target.place;
  const before: Snapshot = done.stories[0]?.proposal?.effects[0]?.before ?? null;
  const observed = await bench.look({ tenant, params });
  const fit = await fitToSchema(compensate.effect.params, compensate.params({ params, before, observed }));
  return fit.kind === "fits" ? fit.value : null;
}
