import type { Capability, ModelChoice } from "../contract/capability.ts";
import type { AnyEffect } from "../contract/effect.ts";
import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";

/** What all processes of a project load: its capabilities and effects, pure. */
export interface Project {
  readonly name: string;
  readonly capabilities: readonly Capability[];
  readonly effects: readonly AnyEffect[];
  /** Written rules of intake, tried in order before the model is asked. */
  readonly intake: readonly IntakeRule[];
  /** The model that intake asks where no rule matches; `null` for rules alone. */
  readonly intakeModel: ModelChoice | null;
}

/** A written rule of intake: a text that matches goes to the capability without asking a model. */
export interface IntakeRule {
  readonly name: string;
  readonly capability: string;
  readonly matches: (text: string) => boolean;
}

/** Collects what a project consists of. Throws `definition_invalid` for doubles and for rules that name nothing. */
export function defineProject(
  project: Pick<Project, "name" | "capabilities"> & Partial<Pick<Project, "intake" | "intakeModel">>,
): Project {
  if (!idPattern.test(project.name)) throw invalid(`project \`${project.name}\` has not the form of an id`);
  const effects = new Map<string, AnyEffect>();
  for (const effect of project.capabilities.flatMap((capability) => capability.effects)) {
    const known = effects.get(effect.name);
    if (known !== undefined && known !== effect) throw invalid(`two effects are named \`${effect.name}\``);
    effects.set(effect.name, effect);
  }
  const names = project.capabilities.map((capability) => capability.name);
  const doubled = names.find((name, place) => names.indexOf(name) !== place);
  if (doubled !== undefined) throw invalid(`two capabilities are named \`${doubled}\``);
  const taken = names.find((name) => reserved.includes(name));
  if (taken !== undefined) throw invalid(`\`${taken}\` is a word of intake; name the capability otherwise`);
  const intake = project.intake ?? [];
  const lost = intake.find((rule) => !names.includes(rule.capability));
  if (lost !== undefined) throw invalid(`intake rule \`${lost.name}\` names the unknown capability \`${lost.capability}\``);
  return Object.freeze({ ...project, effects: [...effects.values()], intake, intakeModel: project.intakeModel ?? null });
}

/** The built-in capability, and what it says where it picks none. */
const reserved: readonly string[] = ["intake", "none", "several"];

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
