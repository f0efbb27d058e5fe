import type { Score } from "../eval-run.ts";
import { listed, required, type Scorer } from "./scoring.ts";

/** The words by which intake asks back instead of picking. */
const askedBack: readonly (string | null)[] = ["none", "several", null];

/** Intake: the right pick; and apart from it whether something wrong was picked, since asking back harms nobody. */
export const scoreIntake: Scorer = ({ one, capability }, { outcome: { label } }): readonly Score[] => {
  const { decision } = one.expectations;
  if (capability !== "intake" || decision === undefined) return [];
  const isRight = label !== null && decision.includes(label);
  const isWrong = !isRight && !askedBack.includes(label);
  const why = `expected intake to pick ${listed(decision)}, and it picked \`${label ?? "nothing"}\``;
  return [required("intake.pick", isRight ? 1 : 0, why), required("intake.no_wrong_pick", isWrong ? 0 : 1, why)];
};
