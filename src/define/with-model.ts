import type { Capability, Deciding, ModelChoice } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import { defineCapability } from "./capability.ts";
import type { Project } from "./project.ts";

/** Another model: what is left out stays as each definition has it. */
export type OtherModel = Pick<ModelChoice, "provider" | "id"> & Partial<ModelChoice>;

/**
 * The same project with its models exchanged for one: to try it on a model of your own, or to compare two. With a capability's name only
 * that one's are, and intake's with `intake`. Effort, temperature and longest reply stay those of each definition where they are left out.
 * Capabilities that a rule decides stay as they are. Throws `definition_invalid` for a floating id, `unknown_capability` for a name that
 * the project does not have.
 * @example
 * const local = withModel(project, { provider: "local", id: "qwen2.5:7b-instruct-q4_K_M", effort: "none", temperature: 0 });
 */
export function withModel(project: Project, model: OtherModel, capability?: string): Project {
  if (capability !== undefined && capability !== "intake" && !project.capabilities.some(({ name }) => name === capability))
    throw new CountersignError("unknown_capability", `the project has no capability \`${capability}\``);
  const isMeant = (name: string): boolean => capability === undefined || capability === name;
  const capabilities = project.capabilities.map((one) => (isMeant(one.name) ? decidingBy(one, model) : one));
  const { intakeModel } = project;
  return Object.freeze({
    ...project,
    capabilities,
    intakeModel: intakeModel === null || !isMeant("intake") ? intakeModel : { ...intakeModel, ...model },
  });
}

function decidingBy(capability: Capability, model: OtherModel): Capability {
  const { deciding, judge, retrieval } = capability;
  if (deciding.kind === "rule" && judge === null && retrieval === undefined) return capability;
  // Defined anew, so that the model is checked as any other.
  return defineCapability({
    ...capability,
    deciding: askingOf(deciding, model),
    judge: judge === null ? null : { ...judge, model: { ...judge.model, ...model } },
    ...(retrieval === undefined ? {} : { retrieval: { ...retrieval, model: { ...retrieval.model, ...model } } }),
  });
}

/** A second model, of another provider, is not what was asked for. */
function askingOf<I>(deciding: Deciding<I>, model: OtherModel): Deciding<I> {
  if (deciding.kind === "rule") return deciding;
  if (deciding.kind === "loop") {
    const { second: _, ...loop } = deciding;
    return { ...loop, model: { ...loop.model, ...model } };
  }
  const { second: _, ...prompt } = deciding;
  return { ...prompt, model: { ...prompt.model, ...model } };
}
