import type { Capability } from "../contract/capability.ts";
import type { AskView, DecisionView } from "../contract/views.ts";
import type { Project } from "../define/project.ts";
import { intakeFor } from "./intake.ts";

/** One decision on the way of a request in free text; the second follows the entry of the first. */
export interface AskStep {
  readonly capability: Capability;
  readonly cause: string | null;
}

/** Lets intake pick the capability for a text and decides by it, each as a decision of its own; asks back where nothing or several fit. */
export async function decideByText({
  project,
  permitted,
  text,
  decide,
}: {
  project: Project;
  permitted: readonly Capability[];
  text: string;
  decide: (step: AskStep) => Promise<DecisionView>;
}): Promise<AskView> {
  const intake = await decide({ capability: intakeFor({ project, permitted, text }), cause: null });
  const picked = pickedBy(intake, permitted);
  if (picked === undefined) return { kind: "asked_back", intake, question: questionFor(intake, permitted) };
  return { kind: "decided", intake, decision: await decide({ capability: picked, cause: intake.entryId }) };
}

/** The capability that intake picked; none where the pick was not let through, whatever its label says. */
export function pickedBy(
  { label, route }: Pick<DecisionView, "label" | "route">,
  permitted: readonly Capability[],
): Capability | undefined {
  return route === "auto" ? permitted.find((one) => one.name === label) : undefined;
}

/** What the requester is asked back; nothing is guessed. */
function questionFor(intake: DecisionView, permitted: readonly Capability[]): string {
  if (intake.stop !== null || intake.route !== "auto")
    return "Your request could not be sorted just now; nothing was done. Please try again, or say it in other words.";
  if (intake.label === "several") return "Your request holds more than one wish. Please send them one at a time.";
  const known = permitted.map((capability) => capability.description).join(" ");
  return `Nothing that can be done here fits your request. What can be done: ${known}`;
}
