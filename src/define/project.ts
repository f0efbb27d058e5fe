import type { Capability, ModelChoice } from "../contract/capability.ts";
import type { AnyCase } from "../contract/case.ts";
import type { FolderSource } from "../contract/document-source.ts";
import type { AnyEffect } from "../contract/effect.ts";
import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";
import { checkCases } from "./check-cases.ts";
import { compensationCapability, compensationOf, isCompensation } from "./compensation.ts";

/** What all processes of a project load: its capabilities and effects, pure. */
export interface Project {
  readonly name: string;
  readonly capabilities: readonly Capability[];
  readonly effects: readonly AnyEffect[];
  /** Of each name the version that is started, and retired ones for cases that still run on them. */
  readonly cases: readonly AnyCase[];
  /** Written rules of intake, tried in order before the model is asked. */
  readonly intake: readonly IntakeRule[];
  /** The model that intake asks where no rule matches; `null` for rules alone. */
  readonly intakeModel: ModelChoice | null;
  /** The folders that its documents come from; read by a process of their own. */
  readonly sources: readonly FolderSource[];
}

/** A written rule of intake: a text that matches goes to the capability without asking a model. */
export interface IntakeRule {
  readonly name: string;
  readonly capability: string;
  readonly matches: (text: string) => boolean;
}

/**
 * Collects what a project consists of, with a capability beside its own for each effect that says how it is undone. Throws
 * `definition_invalid` for doubles and for rules that name nothing.
 */
export function defineProject(
  project: Pick<Project, "name" | "capabilities"> & Partial<Pick<Project, "intake" | "intakeModel" | "cases" | "sources">>,
): Project {
  if (!idPattern.test(project.name)) throw invalid(`project \`${project.name}\` has not the form of an id`);
  const effects = allEffects(project.capabilities);
  const names = project.capabilities.map((capability) => capability.name);
  const doubled = names.find((name, place) => names.indexOf(name) !== place);
  if (doubled !== undefined) throw invalid(`two capabilities are named \`${doubled}\``);
  const taken = names.find((name) => reserved.includes(name));
  if (taken !== undefined) throw invalid(`\`${taken}\` is a word of intake; name the capability otherwise`);
  const undoing = project.capabilities.find((one) => isCompensation(one) && !effects.some(isUndoneBy(one)));
  if (undoing !== undefined) throw invalid(`\`${undoing.name}\` has the name of a compensation; name the capability otherwise`);
  const { intake = [], cases = [], sources = [] } = project;
  const twice = sources.find(({ name }, place) => sources.findIndex((one) => one.name === name) !== place);
  if (twice !== undefined) throw invalid(`two sources are named \`${twice.name}\``);
  checkCases(cases, names);
  const lost = intake.find((rule) => !names.includes(rule.capability));
  if (lost !== undefined) throw invalid(`intake rule \`${lost.name}\` names the unknown capability \`${lost.capability}\``);
  const compensations = effects.flatMap((effect) => compensationCapability(effect) ?? []);
  const capabilities = [...project.capabilities.filter((one) => !isCompensation(one)), ...compensations];
  return Object.freeze({ ...project, capabilities, effects, cases, intake, intakeModel: project.intakeModel ?? null, sources });
}

/** A project that is defined anew brings the compensations of the first time along. */
function isUndoneBy({ name }: Capability): (effect: AnyEffect) => boolean {
  return (effect) => effect.compensate !== undefined && compensationOf(effect.name) === name;
}

/** The effects of capabilities and those that undo them, each once. */
function allEffects(capabilities: readonly Capability[]): readonly AnyEffect[] {
  const effects = new Map<string, AnyEffect>();
  const add = (effect: AnyEffect): void => {
    const known = effects.get(effect.name);
    if (known === effect) return;
    if (known !== undefined) throw invalid(`two effects are named \`${effect.name}\``);
    effects.set(effect.name, effect);
    if (effect.compensate !== undefined) add(effect.compensate.effect);
  };
  for (const effect of capabilities.flatMap((capability) => capability.effects)) add(effect);
  return [...effects.values()];
}

/** The built-in capability, and what it says where it picks none. */
const reserved: readonly string[] = ["intake", "none", "several"];

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
