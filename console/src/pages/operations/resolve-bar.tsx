import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Finding } from "../../../../src/client/index.ts";
import type { OperationView } from "../../../../src/contract/operation-view.ts";
import type { ResolvedOutcome } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { useNow } from "../../parts/now.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { tell } from "../../shell/told.tsx";
import { timeWords } from "../../words/times.ts";
import css from "./operations.module.css";
import { ResolveForm } from "./resolve-form.tsx";

/** Which outcome the form opens with. */
export type ResolveStep = ResolvedOutcome;

/** The bar below an operation: leave it, or say what became of it; in the same place the form that asks for the evidence. */
export function ResolveBar({
  operation,
  step,
  onStep,
  onClose,
}: {
  readonly operation: OperationView;
  readonly step: ResolveStep | null;
  readonly onStep: (step: ResolveStep | null) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const closed = useWhyClosed(operation);
  const saying = useMutation({
    mutationFn: (finding: Finding) => client.resolve(operation.decisionId, finding),
    onSuccess: async () => {
      tell("On record. It is carried out now.");
      onStep(null);
      await queries.invalidateQueries({ queryKey: ["operations"] });
    },
  });
  if (step !== null && closed === null) {
    return <ResolveForm operation={operation} outcome={step} saying={saying} onBack={() => onStep(null)} />;
  }
  if (operation.state === "complete" || operation.state === "compensated" || operation.state === "refused") {
    return <ClosedBar onClose={onClose} />;
  }
  const may = (outcome: ResolvedOutcome) => closed === null && operation.resolvable.includes(outcome);
  return (
    <div className={css["bar"]}>
      <div className={css["buttons"]}>
        <Button look="primary" keyName="esc" onClick={onClose}>
          Wait
        </Button>
        <Button keyName="a" disabled={!may("happened")} onClick={() => onStep("happened")}>
          Accept…
        </Button>
        {closed === null ? (
          <>
            <Button disabled={!may("not_happened")} onClick={() => onStep("not_happened")}>
              It did not happen…
            </Button>
            <Button disabled={!may("compensate")} onClick={() => onStep("compensate")}>
              Have it undone…
            </Button>
          </>
        ) : null}
        <Button keyName="x" disabled>
          Escalate
        </Button>
      </div>
      <p className="meta">{closed ?? openWords(operation)}</p>
    </div>
  );
}

function ClosedBar({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <div className={css["bar"]}>
      <Button keyName="esc" onClick={onClose}>
        Back to the list
      </Button>
      <p className="meta">It has ended, so there is nothing to say of it.</p>
    </div>
  );
}

/** Why nobody, or not this person, may say what became of it now; `null` where they may. */
export function useWhyClosed(operation: OperationView | undefined): string | null {
  const { session } = useApi();
  const lostAt = useLostAt();
  const now = useNow("minute");
  if (operation === undefined) return "It is being read.";
  if (lostAt !== null) return "The desk cannot be reached. This opens again by itself once it answers.";
  if (operation.resolution?.isDone === false) return "Somebody has said what became of it. It is carried out now.";
  if (operation.resolvable.length === 0)
    return `${escalatesWords(operation, now)} Accept opens then, with the evidence you have seen.`;
  if (!session.roles.includes("approver")) return "You can read all of it. An approver says what became of it.";
  if (!session.scopes.includes("sign")) return "What you came with may not be used for signing.";
  return null;
}

/** When it is left to people by itself, and when it is sent again. */
function escalatesWords({ state, deadlineAt }: OperationView, now: number): string {
  if (state === "escalated") return "It was left to people, and nothing can be said of it now.";
  return `It is sent again by itself once a read has shown that it is not there, and left to people by itself ${timeWords(deadlineAt, now)} UTC.`;
}

function openWords({ resolvable }: OperationView): string {
  const undo = resolvable.includes("compensate") ? "" : " Nothing is declared that undoes it.";
  return `It was left to people, so there is nobody further to escalate it to. Each answer asks for what you have seen, and where; one person is enough.${undo}`;
}
