import type { ReactNode } from "react";
import type { EffectView } from "../../../src/contract/views.ts";
import { promiseWords } from "../words/states.ts";
import { durationWords } from "../words/times.ts";
import { MarkOf } from "./mark.tsx";

/** What one effect does on approval: what is promised, what verifies it, whether it can be undone; and where it stands once signed. */
export function EffectCard({ effect, children }: { readonly effect: EffectView; readonly children?: ReactNode }): ReactNode {
  const { index, sentence, sideEffect, reversible, risk, dedupe } = effect;
  const isOutside = sideEffect === "external";
  return (
    <li className={`effect${isOutside ? " effect-outside" : ""}${reversible ? "" : " effect-final"}`}>
      {reversible ? null : (
        <p className="bar">
          {isOutside ? <MarkOf name="outside" tone="quiet" /> : null}{" "}
          <span>{isOutside ? "External, cannot be undone" : "Cannot be undone"}</span>
          <span className="bar-risk">risk {risk}</span>
        </p>
      )}
      <div className="effect-body">
        <span className="number">{index + 1}</span>
        <div>
          <p>
            <strong>{sentence}</strong>
          </p>
          <p className="meta">
            {isOutside && reversible ? <MarkOf name="outside" tone="quiet" /> : null} <span>{undoWords(effect)}</span>{" "}
            <span>{promiseWords(dedupe)}</span> <span>{seenWords(effect)}</span>
          </p>
          {children}
        </div>
        {reversible ? <span className="risk">risk {risk}</span> : null}
      </div>
    </li>
  );
}

function undoWords({ sideEffect, reversible, undoneBy }: EffectView): string {
  if (!reversible) return "";
  return `${sideEffect === "external" ? "External" : "Own space"}. Can be undone${undoneBy === null ? "" : ` by ${undoneBy}`}.`;
}

function seenWords({ seenWithinMs }: EffectView): string {
  return `A separate read says whether it is done${seenWithinMs === null ? "" : `, within ${durationWords(seenWithinMs)}`}.`;
}
