import type { EffectTask } from "../approve/effect-task.ts";
import type { Snapshot } from "../contract/effect.ts";
import { CountersignError, faultName } from "../contract/errors.ts";
import { toFrozenJson } from "../contract/json.ts";
import type { Acting } from "./acting.ts";
import { inEffectSpan } from "./span.ts";
import { type Judged, judgeObserved } from "./verdict.ts";

/** What the separate read saw; `null` judged where it could not be made, with the kind of fault. */
export type Observation =
  | { readonly kind: "seen"; readonly observed: Snapshot; readonly judged: Judged }
  | { readonly kind: "unreadable"; readonly fault: string };

/** Reads the state after through the observing connector and compares it with the expected one. A read that fails says nothing. */
export function observe(task: EffectTask, acting: Acting): Promise<Observation> {
  return inEffectSpan({ spans: acting.spans, effect: task.effect.name, look: "after" }, () => look(task, acting));
}

async function look(task: EffectTask, { hands, clients, deadline }: Acting): Promise<Observation> {
  const { effect, params, proposed } = task;
  try {
    const hand = hands.hands.find((one) => one.effect === effect);
    if (hand === undefined) throw new CountersignError("effect_unknown", `no hands are registered for \`${effect.name}\``);
    const reading = hand.observe.bind(clients).then((read) => read(params, { tenant: task.tenant }));
    const observed = snapshotOf(await deadline.within(effect.timeoutMs, reading));
    const { before, expected } = proposed;
    // An expected snapshot of `null` would mean "gone", which no effect can declare: the definition returns an object.
    const { mayChange } = effect.expect;
    const judged = judgeObserved({
      before,
      expected: expected ?? {},
      mayChange,
      observed,
      tolerance: effect.before.tolerance ?? {},
    });
    return { kind: "seen", observed, judged };
  } catch (thrown) {
    return { kind: "unreadable", fault: faultName(thrown) };
  }
}

function snapshotOf(value: unknown): Snapshot {
  const snapshot = toFrozenJson(value ?? null);
  if (snapshot === null || (typeof snapshot === "object" && !Array.isArray(snapshot))) return snapshot as Snapshot; // narrowed here
  throw new CountersignError("unserialisable", "an observation is neither an object nor `null`");
}
