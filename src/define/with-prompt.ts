import type { Capability, Deciding } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import { defineCapability } from "./capability.ts";
import type { Project } from "./project.ts";

/**
 * The same project with one capability's prompt as another project has it, such as a later version of itself: what node 4 is asked, its
 * judge and its plan of retrieval. Its model and everything else stay. Throws `unknown_capability` where one of the two has none of that
 * name, `definition_invalid` where either is decided by a rule or the two are decided in different ways.
 */
export function withPrompt(project: Project, other: Project, capability: string): Project {
  const [ours, theirs] = [capabilityOf(project, capability), capabilityOf(other, capability)];
  return Object.freeze({
    ...project,
    capabilities: project.capabilities.map((one) => (one === ours ? asking(ours, theirs) : one)),
  });
}

function capabilityOf({ name: project, capabilities }: Project, name: string): Capability {
  const found = capabilities.find((one) => one.name === name);
  if (found === undefined)
    throw new CountersignError("unknown_capability", `project \`${project}\` has no capability \`${name}\``);
  return found;
}

function asking(ours: Capability, theirs: Capability): Capability {
  const { judge, retrieval } = theirs;
  return defineCapability({
    ...ours,
    deciding: promptOf(ours, theirs.deciding),
    judge: judge === null ? null : { ...judge, model: ours.judge?.model ?? judge.model },
    ...(retrieval === undefined ? {} : { retrieval: { ...retrieval, model: ours.retrieval?.model ?? retrieval.model } }),
  });
}

function promptOf({ name, deciding }: Capability, theirs: Deciding<unknown>): Deciding<unknown> {
  if (deciding.kind === "prompt" && theirs.kind === "prompt")
    return { ...deciding, version: theirs.version, prompt: theirs.prompt };
  if (deciding.kind === "loop" && theirs.kind === "loop") {
    const { plan: _, ...own } = deciding;
    return {
      ...own,
      ...(theirs.plan === undefined ? {} : { plan: theirs.plan }),
      version: theirs.version,
      prompt: theirs.prompt,
    };
  }
  const ways = `by a ${deciding.kind} here and by a ${theirs.kind} there`;
  throw new CountersignError("definition_invalid", `\`${name}\` is decided ${ways}; only two prompts or two loops are exchanged`);
}
