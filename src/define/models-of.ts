import type { ModelChoice } from "../contract/capability.ts";
import type { Project } from "./project.ts";

/** A model that a definition names, and what for. */
export interface NamedModel {
  readonly of: string;
  readonly model: ModelChoice;
}

/** Every model that a project's definitions name: for deciding, as the second, as a judge, for retrieval, for intake. */
export function modelsOf({ capabilities, intakeModel }: Pick<Project, "capabilities" | "intakeModel">): readonly NamedModel[] {
  const named = capabilities.flatMap(({ name, deciding, judge, retrieval }): NamedModel[] => [
    ...(deciding.kind === "rule" ? [] : [{ of: `capability \`${name}\``, model: deciding.model }]),
    ...(deciding.kind === "rule" || deciding.second === undefined
      ? []
      : [{ of: `the second model of capability \`${name}\``, model: deciding.second }]),
    ...(retrieval === undefined ? [] : [{ of: `the retrieval of capability \`${name}\``, model: retrieval.model }]),
    ...(judge === null ? [] : [{ of: `the judge of capability \`${name}\``, model: judge.model }]),
  ]);
  return intakeModel === null ? named : [...named, { of: "intake", model: intakeModel }];
}
