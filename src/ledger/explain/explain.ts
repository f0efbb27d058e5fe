import type { Evidence, EvidenceItem, Explanation, RelatedDecision, Versions } from "../../contract/explanation.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Sight } from "../../contract/views.ts";
import { numberAt, objectAt, textAt } from "../fields.ts";
import type { DecisionStory } from "../story.ts";
import { storyOf } from "../told.ts";
import { viewDecision } from "../view.ts";
import { explainEffects } from "./effects.ts";

/**
 * Joins everything that the ledger holds of one decision into its causal chain, as far as this sight may read it. Pure; who allowed what
 * comes from entries alone.
 */
export function explain({
  story,
  sight,
  related,
}: {
  story: DecisionStory;
  sight: Sight;
  related: readonly RelatedDecision[];
}): Explanation {
  const { body } = story.outcome;
  const decision = viewDecision(story, sight);
  const entries = storyOf(story, sight);
  return {
    version: 1,
    sight,
    decision,
    asked: {
      by: story.requestedBy,
      onBehalfOf: story.onBehalfOf,
      roles: wordsOf(body["roles"]),
      inputsHash: textAt(body, "inputsHash"),
    },
    versions: versionsOf(body),
    evidence: evidenceOf(body, entries[0]?.body),
    environment: textAt(body, "environment"),
    spent: {
      inputTokens: numberAt(body, "inputTokens") ?? 0,
      outputTokens: numberAt(body, "outputTokens") ?? 0,
      costMicros: numberAt(body, "costMicros") ?? 0,
      sends: numberAt(body, "sends") ?? 0,
    },
    effects: explainEffects(story, decision),
    related,
    entries,
  };
}

function versionsOf(body: JsonObject): Versions {
  const { capabilityVersion: capability, model, prompt, policy, calibration, tools, index } = body;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    ...{ capability: text(capability), model: text(model), prompt: text(prompt), policy: text(policy) },
    ...{ calibration: text(calibration), tools: text(tools), index: text(index) },
  };
}

/** `told` is the outcome's entry as it is told to this sight: what is not in it is not told here either. */
function evidenceOf(body: JsonObject, told: unknown): Evidence {
  const bodies = objectAt({ told: (told ?? null) as JsonObject | null }, "told") ?? {};
  const context = objectAt(bodies, "bodies")?.["context"];
  return {
    contextDigest: textAt(body, "contextDigest"),
    proposalDigest: textAt(body, "proposalDigest"),
    loopDigest: textAt(objectAt(body, "loop") ?? {}, "digest"),
    items: Array.isArray(context) ? context.flatMap(itemOf) : null,
  };
}

function itemOf(item: unknown): readonly EvidenceItem[] {
  const one = objectAt({ item: (item ?? null) as JsonObject | null }, "item") ?? {};
  const { kind } = one;
  const id = textAt(one, "id");
  if (id === null || (kind !== "passage" && kind !== "record" && kind !== "fact" && kind !== "memory")) return [];
  const title = textAt(one, "title") ?? textAt(one, "sourceTitle") ?? textAt(one, "query") ?? id;
  const readAt = numberAt(one, "readAt") ?? numberAt(one, "learntAt") ?? numberAt(one, "at");
  return [{ id, kind, title, version: textAt(one, "version"), readAt }];
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
}
