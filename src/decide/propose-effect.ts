import type { LoadedContext } from "../contract/context.ts";
import type { AnyEffect, Snapshot } from "../contract/effect.ts";
import { CountersignError } from "../contract/errors.ts";
import { canonicalJson, type Json, toFrozenJson } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { Envelope } from "../contract/principal.ts";
import type { EffectDraft, ProposedEffect } from "../contract/proposal.ts";
import { fitToSchema } from "../contract/schema.ts";
import { effectRisk } from "./draft.ts";
import { beforeNeed } from "./recording.ts";
import { sourcesOf } from "./sources.ts";
import type { Deps } from "./state.ts";

type Proposing = { inputs: unknown; envelope: Envelope; context: LoadedContext; deps: Deps };

/** Turns each draft into a proposed effect: params that fit, the state before as read now, the state expected after, and the sources. */
export async function proposeEffects({
  drafts,
  ...rest
}: { drafts: readonly EffectDraft[] } & Proposing): Promise<ProposedEffect[]> {
  return Promise.all(drafts.map((draft, index) => proposeEffect({ draft, index, ...rest })));
}

async function proposeEffect({
  draft,
  index,
  inputs,
  envelope,
  context,
  deps,
}: { draft: EffectDraft; index: number } & Proposing): Promise<ProposedEffect> {
  const { effect } = draft;
  if (!deps.capability.effects.includes(effect))
    throw invalid(`\`${effect.name}\` is not among the effects of \`${deps.capability.name}\``);
  const params = await paramsOf(draft);
  const risk = effectRisk(effect, params);
  const ruling = deps.permit.mayPropose(envelope.principal, { name: effect.name, risk });
  if (ruling.kind === "refused")
    throw new CountersignError("forbidden", `\`${effect.name}\` is not proposed: ${ruling.reason}`, {
      facts: { rule: ruling.rule },
    });
  const before = await readBefore({ effect, params, envelope, deps });
  return {
    index,
    effect: effect.name,
    version: effect.version,
    sentence: effect.describe(params),
    params,
    paramsDigest: deps.digest.sha256(canonicalJson(params)),
    risk,
    sideEffect: effect.sideEffect,
    reversible: effect.reversible,
    key: keyOf(effect, params),
    before,
    beforeDigest: deps.digest.sha256(canonicalJson(before)),
    expected: effect.expect.state(params, before),
    sources: sourcesOf({ draft, inputs, principal: envelope.principal, context }),
  };
}

async function paramsOf({ effect, params }: EffectDraft): Promise<Json> {
  const fit = await fitToSchema(effect.params, params);
  if (fit.kind === "misfits") throw invalid(`params of \`${effect.name}\` do not fit: ${fit.issues.join("; ")}`);
  return toFrozenJson(fit.value);
}

async function readBefore({
  effect,
  params,
  envelope,
  deps,
}: {
  effect: AnyEffect;
  params: Json;
  envelope: Envelope;
  deps: Deps;
}): Promise<Snapshot> {
  const need = {
    kind: "records",
    name: beforeNeed,
    query: effect.before.query,
    params: effect.before.params(params),
    maxAgeMs: 60_000,
  } as const;
  const rows = await deps.context.readRecords(need, envelope);
  return effect.before.project(rows.map((row) => row.row));
}

function keyOf(effect: AnyEffect, params: Json): string {
  const key = effect.key(params);
  if (key === "" || key.length > limits.businessKeyLength)
    throw invalid(`\`${effect.name}\` made a business key of ${key.length} characters`);
  return key;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
