import type { ExplainedEffect, Explanation } from "../../../../src/contract/explanation.ts";
import { plainMoney, plainName } from "../../words/plain.ts";
import { ruleWords, stateLine } from "../../words/states.ts";
import type { NameOf } from "../../words/steps.ts";
import { timeWords } from "../../words/times.ts";
import { toldEntry } from "./told-entry.ts";

/** A decision told from its beginning to its end, a sentence or two for each thing that happened; made of its entries alone. */
export function storySentences(
  told: Explanation,
  { nameOf, now }: { readonly nameOf: NameOf; readonly now: number },
): readonly string[] {
  const at = (time: number) => `${timeWords(time, now)} UTC`;
  const last = stateLine(told.decision);
  return [
    askedWords(told, nameOf, at),
    decidedWords(told),
    ...told.effects.flatMap((effect) => signedWords(effect, nameOf, at)),
    ...told.entries.slice(1).flatMap((entry) => {
      // Signatures were told with what they are for.
      if (entry.kind === "approved") return [];
      return [`At ${at(entry.ts)}${effectOf(told, entry.body)}: ${lowerFirst(toldEntry(entry, nameOf).sentence)}`];
    }),
    `Now: ${last.words}${last.words.endsWith(".") ? "" : "."} ${last.detail}`,
  ].filter((sentence) => sentence !== "");
}

type At = (time: number) => string;

function askedWords({ asked, decision }: Explanation, nameOf: NameOf, at: At): string {
  const forWhom = asked.onBehalfOf === null ? "" : ` for ${nameOf(asked.onBehalfOf)}`;
  const what = decision.request === null ? `something of ${plainName(decision.capability)}` : `“${decision.request}”`;
  return `${nameOf(asked.by)} asked${forWhom} at ${at(decision.at)}: ${what}.`;
}

function decidedWords({ decision, evidence, spent }: Explanation): string {
  const on = evidence.items === null ? "" : ` It was decided on ${evidence.items.length} loaded pieces.`;
  const cost =
    spent.sends === 0
      ? " No model was asked."
      : ` ${spent.sends} requests to ${decision.model} cost ${plainMoney(spent.costMicros)}.`;
  if (decision.stop !== null)
    return `It ended at ${decision.stop.node}: ${decision.stop.reason.replaceAll("_", " ")}.${on}${cost}`;
  const summary = decision.summary === null ? "" : `Proposed was: ${decision.summary}. `;
  const rule = decision.rule === null ? "" : ` ${ruleWords(decision.rule, decision.thresholdPpm)}`;
  return `${summary}It was routed ${decision.route ?? "nowhere"}.${rule}${on}${cost}`;
}

function signedWords({ sentence, approvals }: ExplainedEffect, nameOf: NameOf, at: At): readonly string[] {
  return approvals.map(({ by, kind, at: signedAt, end, policies }) => {
    const who = kind === "policy" ? `Policy ${policies.length === 0 ? by : policies.join(", ")}` : nameOf(by);
    const use = end === "consumed" ? "and it was used" : `it is ${end}`;
    return `${who} signed “${sentence ?? "an effect"}” at ${at(signedAt)}, ${use}.`;
  });
}

function effectOf({ effects }: Explanation, body: unknown): string {
  const index = typeof body === "object" && body !== null && "effectIndex" in body ? body.effectIndex : null;
  const sentence = effects.find((effect) => effect.index === index)?.sentence ?? null;
  return sentence === null ? "" : `, “${sentence}”`;
}

function lowerFirst(text: string): string {
  return `${text[0]?.toLowerCase() ?? ""}${text.slice(1)}`;
}
