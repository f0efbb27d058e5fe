import type { ReactNode } from "react";
import type { LoopStepView } from "../../../../src/contract/review-evidence.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { useNow } from "../../parts/now.tsx";
import { plainName, plainValue } from "../../words/plain.ts";
import { evidenceWords } from "./evidence-words.ts";

/** What a bounded loop looked at, step by step, for whoever decides with it; nothing where there was no loop. */
export function LookedAt({ steps }: { readonly steps: readonly LoopStepView[] }): ReactNode {
  if (steps.length === 0) return null;
  return (
    <>
      <h2>What was looked at</h2>
      <ol className="signals card">
        {steps.map((step) => (
          <li key={step.step}>
            <StepMark outcome={step.outcome} />
            <div>
              <p>
                <strong>
                  {step.step}. {toolOf(step)}
                </strong>{" "}
                {askedFor(step)} {cameOf(step)}
              </p>
              <Found step={step} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function Found({ step: { found } }: { readonly step: LoopStepView }): ReactNode {
  const now = useNow("minute");
  return found.map((item) => {
    const { title, place, text } = evidenceWords(item, now);
    return (
      <p key={`${title} ${place} ${text}`}>
        {title}: {text} <span className="meta">{place}</span>
      </p>
    );
  });
}

function StepMark({ outcome }: Pick<LoopStepView, "outcome">): ReactNode {
  if (outcome === "read" || outcome === "final") return <MarkOf name="tick" tone="quiet" />;
  return outcome === "off_list" ? <MarkOf name="warning" tone="wait" /> : <MarkOf name="dash" tone="quiet" />;
}

function toolOf({ tool, outcome }: LoopStepView): string {
  if (outcome === "no_reply") return "The model";
  return tool === null ? "An answer was given" : plainName(tool);
}

function askedFor({ tool, arguments: args }: LoopStepView): string {
  if (tool === null || typeof args !== "object" || args === null) return "";
  const words = Object.entries(args).map(([name, value]) => `${plainName(name).toLowerCase()} ${plainValue(value)}`);
  return words.join(", ");
}

function cameOf({ outcome, fault, found }: LoopStepView): string {
  switch (outcome) {
    case "read":
      return found.length === 0 ? "found nothing." : "";
    case "failed":
      return `could not be read: ${fault ?? "no reason"}.`;
    case "off_list":
      return "is not on the list, so nothing was read.";
    case "unread":
      return "was not read: the loop had ended.";
    case "no_reply":
      return "gave no reply that could be used.";
    case "final":
      return "";
  }
}
