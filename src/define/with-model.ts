import type { Capability, Deciding, ModelChoice } from "../contract/capability.ts";
import { defineCapability } from "./capability.ts";
import type { Project } from "./project.ts";

/**
 * The same project with every model exchanged for one: to try it on a model of your own, or to compare two. Capabilities that a rule
 * decides stay as they are. Throws `definition_invalid` for a floating id.
 * @example
 * const local = withModel(project, { provider: "local", id: "qwen2.5:7b-instruct-q4_K_M", effort: "none", temperature: 0 });
 */
export function withModel(project: Project, model: ModelChoice): Project {
  const capabilities = project.capabilities.map((capability) => decidingBy(capability, model));
  return Object.freeze({ ...project, capabilities, intakeModel: project.intakeModel === null ? null : model });
}

function decidingBy(capability: Capability, model: ModelChoice): Capability {
  const { deciding, judge, retrieval } = capability;
  if (deciding.kind === "rule" && judge === null && retrieval === undefined) return capability;
  // Defined anew, so that the model is checked as any other.
  return defineCapability({
    ...capability,
    deciding: askingOf(deciding, model),
    judge: judge === null ? null : { ...judge, model },
    ...(retrieval === undefined ? {} : { retrieval: { ...retrieval, model } }),
  });
}

/** A second model, of another provider, is not what was asked for. */
function askingOf<I>(deciding: Deciding<I>, model: ModelChoice): Deciding<I> {
  if (deciding.kind === "rule") return deciding;
  if (deciding.kind === "loop") {
    const { second: _, ...loop } = deciding;
    return { ...loop, model };
  }
  const { second: _, ...prompt } = deciding;
  return { ...prompt, model };
}
