import { modelsOf } from "../define/models-of.ts";
import type { Project } from "../define/project.ts";
import type { DeclaredNames } from "../telemetry/label-values.ts";

/** The names that a project declares, as far as figures are counted apart by them. */
export function declaredNames(project: Project): DeclaredNames {
  const { capabilities, effects, sources } = project;
  const tools = capabilities.flatMap(({ deciding }) => (deciding.kind === "loop" ? deciding.tools : []));
  return {
    capabilities: capabilities.map(({ name }) => name),
    effects: effects.map(({ name }) => name),
    tools: tools.map(({ name }) => name),
    sources: sources.map(({ name }) => name),
    models: modelsOf(project).map(({ model }) => model),
  };
}
