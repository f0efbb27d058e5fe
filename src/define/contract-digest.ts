import type { AnyEffect } from "../contract/effect.ts";
import { canonicalJson, type Json } from "../contract/json.ts";
import type { Digest } from "../contract/ports.ts";
import { jsonSchemaOf } from "../contract/schema.ts";

/**
 * The digest of what an effect's definition says as data, in hex: the same from source and from a build. The code in it is told by no
 * more than whether it is there, and a schema without a JSON form not at all: what changes there takes a new version.
 */
export function contractDigest(effect: AnyEffect, { sha256 }: Digest): string {
  return sha256(canonicalJson(dataOf(effect)));
}

function dataOf(effect: AnyEffect): Json {
  const { name, version, sideEffect, reversible, dedupe, settleMs, timeoutMs, environments } = effect;
  const { paramRules, requires, before, expect, compensate, recovery, limits } = effect;
  return {
    ...{ name, version, sideEffect, reversible, dedupe, settleMs, timeoutMs, environments },
    params: schemaOf(effect.params),
    paramRules: Object.fromEntries(
      Object.entries(paramRules).map(([param, rule]) => [param, { class: rule.class, sources: rule.sources }]),
    ),
    requires: requires.map((requirement) => requirement.name),
    before: { query: before.query, tolerance: toleranceOf(before) },
    expect: { mayChange: expect.mayChange, deadlineMs: expect.deadlineMs },
    compensate: compensate === undefined ? null : { name: compensate.effect.name, version: compensate.effect.version },
    recovery: recovery === undefined ? null : { maxSends: recovery.maxSends, partial: recovery.partial.map(partialOf) },
    limits: { perHour: limits?.perHour ?? null, allows: limits?.allows !== undefined },
  };
}

function schemaOf(params: AnyEffect["params"]): Json {
  try {
    return jsonSchemaOf(params);
  } catch {
    return null;
  }
}

function toleranceOf({ tolerance = {} }: AnyEffect["before"]): Json {
  return Object.fromEntries(Object.entries(tolerance).map(([field, { ppm }]) => [field, ppm]));
}

function partialOf({ name, means }: NonNullable<AnyEffect["recovery"]>["partial"][number]): Json {
  return { name, means };
}
