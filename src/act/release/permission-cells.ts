import { canonicalJson } from "../../contract/json.ts";
import { type Cell, type Demand, judged, noSample, notApplicable } from "./cell.ts";
import { newTarget, saysDone, type Trial, tryOut } from "./trial.ts";

/** A permitted target, in the tenant that owns it: done, and the target holds it once. */
export const targetPermitted: Cell = async (bench) => {
  const trial = await tryOut(bench);
  return judged(
    [trial],
    doneOnce(trial),
    "done: an independent read saw exactly what was expected, and the target holds it once",
  );
};

/** A target that the effect's own rules turn away: nothing is sent. */
export const targetDenied: Cell = async (bench) => {
  const { requires, limits } = bench.effect;
  if (bench.samples.denied === undefined)
    return requires.length === 0 && limits?.allows === undefined
      ? notApplicable("neither `requires` nor `limits.allows` turns a target away")
      : noSample("denied");
  const place = bench.newPlace(bench.tenants.home);
  const trial = await tryOut(bench, { target: { place, sample: await bench.samples.denied(place) } });
  return judged([trial], notSent(trial), `nothing was sent: ${trial.end}`);
};

/** The same in another tenant. */
export const tenantPermitted: Cell = async (bench) => {
  const trial = await tryOut(bench, { tenant: bench.tenants.other });
  return judged([trial], doneOnce(trial), "done in a second tenant as in the first");
};

/** A decision of one tenant that names the target of another: whatever becomes of it, the other's target stays as it was. */
export const tenantDenied: Cell = async (bench) => {
  const { home, other } = bench.tenants;
  const target = await newTarget(bench, home);
  const { params } = target.sample;
  const before = await bench.look({ tenant: home, params });
  const trial = await tryOut(bench, { tenant: other, target });
  const after = await bench.look({ tenant: home, params });
  const demands: readonly Demand[] = [
    [trial.count === 0, "a decision of one tenant changed the target of another"],
    [canonicalJson(before) === canonicalJson(after), "the observing hand sees the change of another tenant"],
  ];
  return judged([trial], demands, `the other tenant's target is as it was: ${trial.end}`);
};

/** Carried out in every environment that the effect names. */
export const environmentPermitted: Cell = async (bench) => {
  const { environments } = bench.effect;
  if (environments.length === 0) return notApplicable("the effect names no environment");
  const trials: Trial[] = [];
  for (const environment of environments) trials.push(await tryOut(bench, { environment }));
  return judged(trials, trials.flatMap(doneOnce), `done in ${environments.join(", ")}`);
};

/** An environment that the effect does not name: nothing is sent. */
export const environmentDenied: Cell = async (bench) => {
  const trial = await tryOut(bench, { environment: elsewhere });
  return judged([trial], notSent(trial), `nothing was sent in another environment: ${trial.end}`);
};

/** No project calls an environment so. */
const elsewhere = "release-elsewhere";

/** Done, once, by one send. */
function doneOnce(trial: Trial): readonly Demand[] {
  return [
    [saysDone(trial), "it was not seen as done"],
    [trial.reached === 1, "it did not take one send"],
    [trial.count === 1, "the target does not hold it once"],
  ];
}

/** Not done, and nothing reached the target. */
export function notSent(trial: Trial): readonly Demand[] {
  return [
    [trial.reached === 0, "the hand was called"],
    [trial.count === 0, "the target holds it"],
    [!saysDone(trial), "it stands as done"],
  ];
}
