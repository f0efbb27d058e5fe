import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { tell } from "../../shell/told.tsx";
import { errorWords } from "../../words/errors.ts";
import { counted, plainName, plainValue } from "../../words/plain.ts";
import { differingParams, paramOf } from "./alike.ts";
import css from "./bar.module.css";
import itemCss from "./item.module.css";
import { viewKey } from "./questions.ts";

type Outcome = { readonly kind: "sending" | "signed" } | { readonly kind: "refused"; readonly why: string };

/** Several alike items of low risk on one page: each gets an approval of its own, one after the other. */
export function Bulk({
  views,
  whyClosed,
  isReady,
  onBack,
  onDone,
}: {
  readonly views: readonly DecisionView[];
  readonly whyClosed: string | null;
  /** The item has been on the page for long enough that a key is meant for it. */
  readonly isReady: () => boolean;
  readonly onBack: () => void;
  readonly onDone: () => void;
}): ReactNode {
  // What was opened is what is signed, whatever the queue says meanwhile.
  const [held] = useState(views);
  const { outcomes, isBusy, isDone, approve } = useBulk({ views: held, whyClosed, onDone });
  const approvals = held.reduce((sum, { effects }) => sum + effects.length, 0);
  const sign = () => {
    if (isReady() && whyClosed === null && !isDone) approve();
  };
  useKeys({ a: sign, esc: onBack });
  return (
    <div className={itemCss["item"]}>
      <div className={itemCss["scroll"]}>
        <h1>
          {held[0]?.capability}: {counted(held.length, "alike item")}
        </h1>
        <p className={itemCss["lead"]}>
          Low risk, the same change; only these values differ. Each is signed by an approval of its own.
        </p>
        <AlikeTable views={held} outcomes={outcomes} />
      </div>
      <section className={css["bar"]} aria-label="Your answer to all of them">
        <div className={css["answers"]}>
          <Button look="primary" keyName="a" disabled={whyClosed !== null || isBusy || isDone} onClick={sign}>
            Approve {held.length}
          </Button>
          <Button keyName="esc" onClick={onBack}>
            Open one by one
          </Button>
        </div>
        <p className={css["why"]}>
          {whyClosed ?? (isBusy ? "One after the other." : `You sign ${counted(approvals, "approval")}, one per effect.`)}
        </p>
      </section>
    </div>
  );
}

function AlikeTable({
  views,
  outcomes,
}: {
  readonly views: readonly DecisionView[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
}): ReactNode {
  const names = differingParams(views);
  return (
    <div className="table-frame">
      <table className="rows">
        <caption className="hidden">Alike items with the values in which they differ</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            {names.map(({ effect, name }) => (
              <th key={`${effect} ${name}`} scope="col">
                {plainName(name)}
              </th>
            ))}
            <th scope="col">Standing</th>
          </tr>
        </thead>
        <tbody>
          {views.map((view) => (
            <tr key={view.id}>
              <th scope="row">{view.summary ?? view.capability}</th>
              {names.map(({ effect, name }) => (
                <td key={`${effect} ${name}`}>{plainValue(paramOf(view, effect, name) ?? null)}</td>
              ))}
              <td>
                <Standing outcome={outcomes.get(view.id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Standing({ outcome }: { readonly outcome: Outcome | undefined }): ReactNode {
  if (outcome === undefined) return "own approval";
  if (outcome.kind === "sending") return "being signed";
  if (outcome.kind === "refused") return outcome.why;
  return (
    <span>
      <MarkOf name="signed" tone="person" /> signed
    </span>
  );
}

/** Signs one after the other; one that is refused says why, and the others go on. Nothing more is signed once signing closes or the page is left. */
function useBulk({
  views,
  whyClosed,
  onDone,
}: {
  readonly views: readonly DecisionView[];
  readonly whyClosed: string | null;
  readonly onDone: () => void;
}) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [stage, setStage] = useState<"open" | "busy" | "done">("open");
  const isBegun = useRef(false);
  const isClosed = useRef(false);
  isClosed.current = whyClosed !== null;
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const put = (id: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome));
  const run = async () => {
    let signed = 0;
    for (const { id } of views) {
      if (isClosed.current || isLeft.current) break;
      put(id, { kind: "sending" });
      try {
        queries.setQueryData(viewKey(id), await client.approve(id));
        put(id, { kind: "signed" });
        signed += 1;
      } catch (thrown) {
        put(id, { kind: "refused", why: errorWords(thrown, "The approval").title });
      }
    }
    setStage("done");
    void queries.invalidateQueries({ queryKey: ["reviews"] });
    void queries.invalidateQueries({ queryKey: ["decisions"] });
    tell(`${signed} of ${views.length} signed.`);
    if (signed === views.length) onDone();
  };
  return {
    outcomes,
    isBusy: stage === "busy",
    isDone: stage === "done",
    approve: () => {
      if (isBegun.current) return;
      isBegun.current = true;
      setStage("busy");
      void run();
    },
  };
}
