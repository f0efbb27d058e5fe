import type { AnyEffect, PartialState } from "../../contract/effect.ts";
import type { Dedupe } from "../../contract/words.ts";
import type { Applied, ApplyOptions } from "../hands.ts";
import type { Bench } from "./bench.ts";
import { type Cell, type Demand, judged, noSample, notApplicable, type Said } from "./cell.ts";
import { isHandedOn, saysDone, type Trial, tryOut } from "./trial.ts";
import { type Interference, type SendOn, timedOut } from "./watch-hands.ts";

/**
 * The first send never arrives and its reply never comes. Where the target helps against doubles it is sent again, under the same key;
 * elsewhere a person is called.
 */
export const timeoutBefore: Cell = async (bench) => {
  const trial = await tryOut(bench, {
    interference: { send: async (nth, sendOn) => (nth === 1 ? Promise.reject(timedOut()) : sendOn()) },
  });
  if (!isSentAgain(bench.effect)) {
    const demands: readonly Demand[] = [
      [trial.reached === 0, "it was sent again, though this effect is not"],
      [trial.count === 0 && !saysDone(trial), "what never arrived stands as done"],
      [isHandedOn(trial.end, bench), "no person was called"],
    ];
    return judged([trial], demands, "not sent again: a person was called");
  }
  const keys = new Set(trial.watched.sends(bench.effect.name));
  const demands: readonly Demand[] = [
    [trial.reached > 0, "it stands as it does without one send that arrived"],
    [keys.size === 1, "it was sent again under another idempotency key"],
    [saysDone(trial), "it was not done by the second send"],
    [trial.count === 1, "the target does not hold it once"],
  ];
  return judged([trial], demands, "found not to be there, sent again under the same key, done once");
};

/** The send arrives and its reply is lost: found by looking, and the target holds it once. */
export const timeoutAfter: Cell = async (bench) => {
  const trial = await tryOut(bench, {
    interference: {
      send: async (nth, sendOn) => {
        const applied = await sendOn();
        if (nth === 1) throw timedOut();
        return applied;
      },
    },
  });
  const demands: readonly Demand[] = [
    [trial.count === 1, "the target does not hold it once"],
    [saysDone(trial), "what was done was not found"],
  ];
  return judged([trial], demands, `found to be done after ${trial.reached === 1 ? "one send" : `${trial.reached} sends`}`);
};

/** The same change signed twice is one consequence; so is, where the target promises it, the same send made twice. */
export const duplicateSubmit: Cell = async (bench) => {
  const { dedupe } = bench.effect;
  const twice = sendTwice[dedupe];
  const trial = await tryOut(bench, { isTwice: true, interference: twice === null ? {} : { send: twice } });
  const demands: readonly Demand[] = [
    [trial.count === 1, "the target does not hold it once"],
    [saysDone(trial), "it was not done"],
  ];
  const target = twice === null ? `the target itself offers nothing (\`dedupe: ${dedupe}\`)` : "one send made twice too";
  return judged([trial], demands, `two signed decisions are one consequence; ${target}`);
};

/** Left in each state in between that the effect names: recognised, never said to be done, never blindly sent again. */
export const partialFailure: Cell = async (bench) => {
  const partials = bench.effect.recovery?.partial ?? [];
  if (partials.length === 0) return notApplicable("`recovery.partial` names no state in between");
  if (bench.samples.makePartial === undefined) return noSample("makePartial");
  for (const partial of partials) {
    const said = await tryPartial(bench, partial, bench.samples.makePartial);
    if (said.state !== "passed") return { ...said, says: `\`${partial.name}\`: ${said.says}` };
  }
  return { state: "passed", says: `recognised, and handled as declared: ${partials.map(({ name }) => name).join(", ")}` };
};

async function tryPartial(
  bench: Bench,
  partial: PartialState,
  makePartial: NonNullable<Bench["samples"]["makePartial"]>,
): Promise<Said> {
  const seen: boolean[] = [];
  const place = bench.newPlace(bench.tenants.home);
  const sample = await bench.samples.permitted(place);
  const { params } = sample;
  const interference: Interference = {
    send: async () => {
      await makePartial(place, { name: partial.name, params });
      throw timedOut();
    },
    look: async (_nth, look) => {
      const observed = await look();
      seen.push(partial.holds(observed, params));
      return observed;
    },
  };
  const trial = await tryOut(bench, { target: { place, sample }, interference });
  return judged([trial], partialDemands({ trial, partial, seen, effect: bench.effect }), trial.end);
}

function partialDemands({
  trial,
  partial,
  seen,
  effect,
}: {
  trial: Trial;
  partial: PartialState;
  seen: readonly boolean[];
  effect: AnyEffect;
}): readonly Demand[] {
  // What is only waited for is undone at the deadline where it can be, as what is to be undone at once.
  const isHandled = partial.means === "escalate" ? trial.end === "escalated" : isHandedOn(trial.end, { effect });
  return [
    [seen.includes(true), "the state is not recognised by its own `holds`"],
    [!saysDone(trial), "a part stands as done"],
    [trial.watched.sends(effect.name).length === 1, "it was sent again over a part"],
    [isHandled, `\`means: ${partial.means}\` was not what followed`],
  ];
}

/** Whether an effect that is proven not to be there is sent again before its deadline. */
function isSentAgain({ dedupe, recovery, settleMs, expect: { deadlineMs } }: AnyEffect): boolean {
  return dedupe !== "none" && (recovery?.maxSends ?? 2) > 1 && settleMs < deadlineMs;
}

type Send = (nth: number, sendOn: SendOn, options: ApplyOptions) => Promise<Applied>;

/** The double that each kind of target promises to stop; `null` where it promises none. */
const sendTwice: Readonly<Record<Dedupe, Send | null>> = {
  key: again,
  conditional: again,
  fence: async (_nth, sendOn, { fence }) => {
    const applied = await sendOn({ fence: fence + 1 });
    // Whoever was overtaken sends last.
    await sendOn({ fence }).catch(() => {});
    return applied;
  },
  observe: null,
  none: null,
};

async function again(_nth: number, sendOn: SendOn): Promise<Applied> {
  const applied = await sendOn();
  // It may answer as it did, or refuse.
  await sendOn().catch(() => {});
  return applied;
}
