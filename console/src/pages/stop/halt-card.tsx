import { type ReactNode, useState } from "react";
import type { HaltView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { haltWords, stoppedBy } from "../../words/halts.ts";
import { ReasonForm } from "./reason-form.tsx";
import css from "./stop.module.css";
import { useForgetDraft } from "./use-draft.ts";
import { useHalting } from "./use-halting.ts";

/** One stop that stands; lifting it asks for a reason in the same place. */
export function HaltCard({ halt, closed }: { readonly halt: HaltView; readonly closed: string | null }): ReactNode {
  const { nameOf } = useApi();
  const [isLifting, setIsLifting] = useState(false);
  const { scope, name, by, at, reason } = halt;
  const forget = useForgetDraft(`lift ${scope} ${name}`);
  const lifting = useHalting({
    isStop: false,
    onDone: () => {
      forget();
      setIsLifting(false);
      document.getElementById("stopped-title")?.focus();
    },
  });
  return (
    <li className={css["halt"]}>
      <h3>
        <MarkOf name="stop" tone="stop" /> {haltWords(halt)} is stopped
      </h3>
      <p>
        since <Time at={at} /> by <strong>{stoppedBy(by, nameOf)}</strong>: “{reason}”
      </p>
      {by === "ledger-check" ? (
        <p className="meta">The worker found that the ledger does not hold. Look at the ledger before you lift this.</p>
      ) : null}
      {isLifting && closed === null ? (
        <ReasonForm
          label="Why may it go on?"
          verb={`Lift the stop of ${scope === "tenant" ? "everything" : name}`}
          consequence="What was signed and has not expired is sent from then on."
          place={`lift ${scope} ${name}`}
          change={lifting}
          onSend={(why) => lifting.mutate({ scope, ...(scope === "tenant" ? {} : { name }), reason: why })}
          onBack={() => setIsLifting(false)}
        />
      ) : (
        <p>
          <Button disabled={closed !== null} onClick={() => setIsLifting(true)}>
            Lift the stop…
          </Button>{" "}
          {closed === null ? null : <span className="meta">{closed}</span>}
        </p>
      )}
    </li>
  );
}
