import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "../client/index.ts";
import { CountersignError, faultName, isCountersignError, messageOf } from "../contract/errors.ts";
import type { Explanation } from "../contract/explanation.ts";
import type { DecisionView } from "../contract/views.ts";
import { inputsOf } from "../evals/case-file.ts";
import type { Outcome } from "../evals/eval-run.ts";
import type { FinalRows, Play, Played, PlayTask } from "../evals/played.ts";
import { type EvalHouse, isCarriedOut, sentIn } from "./eval-house.ts";
import { keptBodies, traceOf } from "./eval-trace.ts";
import type { EvalWorld } from "./eval-world.ts";
import type { Labels } from "./passage-labels.ts";
import { followSent, type SentRequests } from "./sent-requests.ts";

/** What the playing of repeats goes by. */
export interface PlayParts {
  readonly house: EvalHouse;
  /** Says which of these passages the asker may not see, by the documents' own labels. */
  readonly labels: Labels;
  /** Reads the rows that a case expects in the end, from a world's sandbox. */
  readonly readFinal: (task: PlayTask, world: EvalWorld) => Promise<readonly FinalRows[]>;
}

/** Longest time for one request, model calls and their repeats included, in milliseconds. */
const requestMs = 300_000;
/** Longest time from the first signature to the end of the last effect. */
const carryMs = 90_000;

/** Makes what plays repeats over HTTP, each as whoever its case asks as; what is carried out is carried out in a world of its own. */
export function createPlay(parts: PlayParts): Play {
  const asking = { world: parts.house.asking, sent: followSent(sentIn(parts.house.asking.directory)) };
  return async (task) => {
    try {
      if (!isCarriedOut(task)) return await playIn(parts, { task, ...asking });
      return await parts.house.inFreshWorld((world) => playIn(parts, { task, world, sent: followSent(sentIn(world.directory)) }));
    } catch (thrown) {
      return broken(thrown);
    }
  };
}

interface Playing {
  readonly task: PlayTask;
  readonly world: EvalWorld;
  readonly sent: SentRequests;
}

async function playIn(parts: PlayParts, playing: Playing): Promise<Played> {
  const { task, world } = playing;
  const { people } = parts.house;
  const asker = people.askerOf(task);
  const as = (key: string): Client => createClient({ baseUrl: world.url, apiKey: key, timeoutMs: requestMs });
  const startedAt = performance.now();
  const asked = await ask(as(asker.key), task);
  const latencyMs = Math.round(performance.now() - startedAt);
  if ("refused" in asked) return turnedAway(asked.refused, latencyMs);
  const auditor = as(people.auditorOf(asker.tenant).key);
  if (isCarriedOut(task))
    await carryOut(asked.decisionId, { signers: people.signersOf(asker.tenant).map(({ key }) => as(key)), auditor });
  const [explanation, told] = await Promise.all([
    auditor.explanation(asked.decisionId),
    as(asker.key).decision(asked.decisionId),
  ]);
  const bodies = keptBodies(explanation);
  const passages = [...(bodies.items ?? []), ...bodies.steps.flatMap(({ found }) => found)];
  return {
    outcome: outcomeOf(explanation, { told, latencyMs }),
    trace: traceOf(explanation, bodies),
    decision: explanation.decision,
    ...{ items: bodies.items, activity: bodies.activity, steps: bodies.steps },
    unseen: parts.labels.unseenBy(asker, passages),
    replies: bodies.calls,
    ...(await playing.sent.of(bodies.calls)),
    state: task.one.expectations.state.length === 0 ? [] : await parts.readFinal(task, world),
    fault: null,
  };
}

/** The decision that a case is about: intake's own for a case of intake. A refusal at the door is an outcome, and made no decision. */
async function ask(
  client: Client,
  { one, capability }: PlayTask,
): Promise<{ decisionId: string } | { refused: CountersignError }> {
  const at = one.envelope.at === undefined ? {} : { at: one.envelope.at };
  try {
    if (capability !== "intake") return { decisionId: (await client.decide({ capability, inputs: inputsOf(one), ...at })).id };
    const { intake } = await client.ask({ text: String(Object.values(inputsOf(one))[0] ?? ""), ...at });
    return { decisionId: intake.id };
  } catch (thrown) {
    if (!isCountersignError(thrown)) throw thrown;
    const decisionId = thrown.facts["decisionId"];
    if (thrown.code === "input_invalid" && typeof decisionId === "string") return { decisionId };
    if (doorCodes.has(thrown.code)) return { refused: thrown };
    throw thrown;
  }
}

/** By which the door turns away what was asked. Every other fault, such as a request of another form, is this run's own, and a fault of the repeat. */
const doorCodes: ReadonlySet<string> = new Set(["forbidden", "bad_text", "too_large", "input_invalid"]);

/** Two people sign what waits, as often as it takes, until nothing more happens to it by itself. */
async function carryOut(
  decisionId: string,
  { signers, auditor }: { signers: readonly Client[]; auditor: Client },
): Promise<void> {
  const end = performance.now() + carryMs;
  for (let view = await auditor.decision(decisionId); isUnderWay(view); view = await auditor.decision(decisionId)) {
    if (performance.now() > end)
      throw new CountersignError("service_unavailable", `what was signed did not come to an end within ${carryMs / 1000} s`);
    if (view.state === "waiting") await signBy(signers, { decisionId, view });
    await pause(50);
  }
}

async function signBy(
  signers: readonly Client[],
  { decisionId, view }: { decisionId: string; view: DecisionView },
): Promise<void> {
  const signed = new Set(view.effects.flatMap(({ signedBy }) => signedBy)).size;
  const signer = signers[Math.min(signed, signers.length - 1)];
  await signer?.approve(decisionId);
}

const underWay: ReadonlySet<DecisionView["state"]> = new Set([
  "waiting",
  "waiting_for_policy",
  "signed",
  "applying",
  "compensating",
]);

function isUnderWay({ state, effects, obstacle }: DecisionView): boolean {
  return effects.length > 0 && obstacle === null && underWay.has(state);
}

/** `told` is the decision as who asked reads it. */
function outcomeOf(
  { decision, spent, entries }: Explanation,
  { told, latencyMs }: { told: DecisionView; latencyMs: number },
): Outcome {
  const body = entries[0]?.body;
  const count = (name: string): number => {
    const value = typeof body === "object" && body !== null && name in body ? (body as Record<string, unknown>)[name] : 0;
    return typeof value === "number" ? value : 0;
  };
  return {
    decisionId: decision.id,
    ...{ state: decision.state, label: decision.label, route: decision.route, rule: decision.rule },
    stop: decision.stop?.reason ?? null,
    text: textOf(told),
    model: decision.model === "none" ? null : decision.model,
    isScripted: decision.isScripted,
    confidencePpm: decision.confidencePpm,
    latencyMs,
    costMicros: spent.costMicros,
    tokens: {
      input: spent.inputTokens,
      cached: count("cachedTokens"),
      output: spent.outputTokens,
      reasoning: count("reasoningTokens"),
    },
  };
}

/** All that they are told of it: the refusal or the claims, the summary, and each effect's sentence. */
function textOf({ refusal, claims, summary, effects, stop }: DecisionView): string {
  const told = [refusal, ...claims.map(({ text }) => text), summary, ...effects.map(({ sentence }) => sentence), stop?.detail];
  return told.filter((text) => text != null && text !== "").join("\n");
}

const nothing: Omit<Played, "outcome" | "fault"> = {
  ...{ trace: [], decision: null, items: null, unseen: [], activity: null, steps: [], sent: [], unknownSent: 0, state: [] },
};
const noOutcome: Omit<Outcome, "text" | "latencyMs"> = {
  ...{ decisionId: null, state: null, label: null, route: null, rule: null, stop: null, model: null, isScripted: false },
  ...{ confidencePpm: null, costMicros: 0, tokens: { input: 0, cached: 0, output: 0, reasoning: 0 } },
};

function turnedAway({ code, message }: CountersignError, latencyMs: number): Played {
  const trace = [{ at: "door", what: `${code}: ${message}`, ms: latencyMs }];
  return { ...nothing, trace, outcome: { ...noOutcome, text: message, latencyMs }, fault: null };
}

function broken(thrown: unknown): Played {
  const message = isCountersignError(thrown) ? messageOf(thrown) : `an unexpected fault, ${faultName(thrown)}`;
  return { ...nothing, outcome: { ...noOutcome, text: "", latencyMs: 0 }, fault: { code: faultName(thrown), message } };
}
