import type { ModelChoice } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Provider } from "../contract/model.ts";
import type { Clock } from "../contract/ports.ts";
import { type Breaker, createBreaker } from "./breaker.ts";

/** A registered provider with its breaker. */
export interface Line {
  readonly provider: Provider;
  readonly breaker: Breaker;
}

/** The registered providers by name. */
export type Lines = ReadonlyMap<string, Line>;

/** Registers providers. Throws `definition_invalid` for two of one name, and for one that is neither scripted nor says `boundary: "off"`. */
export function openLines(providers: readonly Provider[], clock: Clock): Lines {
  const lines = new Map<string, Line>();
  for (const provider of providers) {
    const named = `provider \`${provider.name}\``;
    if (lines.has(provider.name)) throw invalid(`${named} is registered twice`);
    if (!provider.isScripted && provider.boundary !== "off")
      throw invalid(
        `${named} would be sent text as it is, since the privacy boundary is off; register it with \`boundary: "off"\` if that is meant`,
      );
    lines.set(provider.name, { provider, breaker: createBreaker(clock) });
  }
  return lines;
}

/** The line that a model is reached by. Throws `definition_invalid` where none is registered, or its provider would not take the choice. */
export function lineFor(lines: Lines, model: ModelChoice, of = "the request"): Line {
  const line = lines.get(model.provider);
  if (line === undefined) throw invalid(`${of} asks for a model of ${unknownProvider(lines, model)}`);
  const refusal = line.provider.refusalOf?.(model) ?? null;
  if (refusal !== null) throw invalid(`${of} asks for the model \`${model.provider}/${model.id}\`: ${refusal}`);
  return line;
}

function unknownProvider(lines: Lines, { provider }: ModelChoice): string {
  const known = [...lines.keys()].map((name) => `\`${name}\``).join(", ") || "none";
  return `\`${provider}\`, and no provider is registered by that name; known are ${known}`;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
