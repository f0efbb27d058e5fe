import type { ModelChoice } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Provider } from "../contract/model.ts";
import { modelName } from "../contract/model-name.ts";
import type { Clock } from "../contract/ports.ts";
import { type Breaker, createBreaker } from "./breaker.ts";

/** A registered provider with its breaker. */
export interface Line {
  readonly provider: Provider;
  readonly breaker: Breaker;
  /** Whether what it is sent passes the privacy boundary: everything but scripts, and what its author switched off. Settled at the start. */
  readonly isBounded: boolean;
  /** Where it stands, in the words of the privacy policy. */
  readonly region: string;
}

/** The registered providers by name. */
export type Lines = ReadonlyMap<string, Line>;

/** Registers providers. Throws `definition_invalid` for two of one name, and for one that belongs behind a boundary where there is none. */
export function openLines(providers: readonly Provider[], { clock, hasBoundary }: { clock: Clock; hasBoundary: boolean }): Lines {
  const lines = new Map<string, Line>();
  for (const provider of providers) {
    const named = `provider \`${provider.name}\``;
    if (lines.has(provider.name)) throw invalid(`${named} is registered twice`);
    const { boundary, isScripted, region = "elsewhere" } = provider;
    const isBounded = boundary === "on" || (boundary === undefined && !isScripted);
    if (isBounded && !hasBoundary)
      throw invalid(`${named} would be sent text as it is, since there is no privacy boundary; hand the gateway one`);
    lines.set(provider.name, { provider, breaker: createBreaker(clock), isBounded, region });
  }
  return lines;
}

/** The line that a model is reached by. Throws `definition_invalid` where none is registered, or its provider would not take the choice. */
export function lineFor(lines: Lines, model: ModelChoice, of = "the request"): Line {
  const line = lines.get(model.provider);
  if (line === undefined) throw invalid(`${of} asks for a model of ${unknownProvider(lines, model)}`);
  const refusal = line.provider.refusalOf?.(model) ?? null;
  if (refusal !== null) throw invalid(`${of} asks for the model \`${modelName(model)}\`: ${refusal}`);
  return line;
}

function unknownProvider(lines: Lines, { provider }: ModelChoice): string {
  const known = [...lines.keys()].map((name) => `\`${name}\``).join(", ") || "none";
  return `\`${provider}\`, and no provider is registered by that name; known are ${known}`;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
