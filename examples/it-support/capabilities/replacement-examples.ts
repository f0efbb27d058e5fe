import type { WorkedExample } from "countersign";
import type { Choice } from "./choose-device.ts";
import type { Request } from "./request.ts";

/** When no replacement is prepared, in words. */
export const replacementRefuses =
  'The policy does not allow the replacement: say so in "eligible" and name the passage. A device that is none of the requester\'s is never named.';

/** Ids that no record of the demo has, so that nothing can be copied from here. */
export const replacementExamples: readonly WorkedExample<Request, Choice>[] = [
  example("My keyboard is broken", "keyboard dev-9", {
    ...{ device: "dev-9", reason: "defective", eligible: true, policy: "passage:rules:1:2", confidence: 95 },
    note: "A defective keyboard is replaced at any time.",
  }),
  example("My phone is worn out", "phone dev-8, bought 6 months ago", {
    ...{ device: "dev-8", reason: "worn_out", eligible: false, policy: "passage:rules:1:3", confidence: 92 },
    note: "The phone is 6 months old and below the age of the policy.",
  }),
  example("I lost my laptop on the train", "laptop dev-7", {
    ...{ device: "dev-7", reason: "lost", eligible: false, policy: "passage:rules:1:5", confidence: 93 },
    note: "A lost laptop goes to the security desk first.",
  }),
  example("One of the screens is bad", "monitors dev-5 and dev-6", {
    ...{ device: "dev-5", reason: "defective", eligible: true, policy: "passage:rules:1:4", confidence: 30 },
    note: "The request does not say which of two monitors is meant.",
  }),
];

function example(text: string, given: string, decision: Choice): WorkedExample<Request, Choice> {
  return { inputs: { text }, given, decision };
}
