import type { ReactNode, RefObject } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Expiry } from "../../parts/expiry.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { RouteChip } from "../../parts/route-chip.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { Time } from "../../parts/time.tsx";
import { plainCount } from "../../words/plain.ts";
import { isHalfSigned, stateLine } from "../../words/states.ts";
import { timeWords } from "../../words/times.ts";
import css from "./item.module.css";
import { rowTitle } from "./row-words.ts";
import { isOpen, isOwnHalf, ownUntil } from "./standing.ts";
import { useNowUntil } from "./use-now-until.ts";

/** What an item is, whose, and until when; then its sentence, and how it was routed or where it stands. */
export function ItemHead({
  view,
  place,
  of,
  isCovered,
  titleRef,
}: {
  readonly view: DecisionView;
  /** Its place in the queue, counted from 1; 0 where it is in no list that is shown. */
  readonly place: number;
  readonly of: { readonly count: number; readonly isOver: boolean };
  readonly isCovered: boolean;
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
}): ReactNode {
  const { session, nameOf } = useApi();
  const now = useNowUntil(view.expiresAt);
  const own = ownUntil(view, session, now);
  const waits = isOpen(view, now);
  return (
    <header className={css["item-head"]}>
      <p className={css["meta"]}>
        <span className={css["about"]}>
          <span>{place === 0 ? "not in this list" : `${place} of ${of.isOver ? "over 10,000" : plainCount(of.count)}`}</span>
          <span>
            {view.capability} v{view.capabilityVersion}
          </span>
          <span>
            asked by {nameOf(view.requestedBy)} <Time at={view.at} isExact={false} />
          </span>
          {view.isScripted ? <span>scripted replies, no model</span> : null}
          {view.editedBy === null ? null : <span>edited by {nameOf(view.editedBy)}</span>}
        </span>
        <span className={css["about"]}>
          {own === null ? null : <span>yours until {timeWords(own, now, false)} UTC</span>}
          {view.expiresAt === null ? null : <Expiry at={view.expiresAt} />}
        </span>
      </p>
      <h1 ref={titleRef} id="sentence" tabIndex={-1}>
        {rowTitle(view, isCovered)}
      </h1>
      {waits && view.obstacle === null ? <Routed view={view} isCovered={isCovered} /> : <Standing view={view} />}
    </header>
  );
}

function Routed({ view, isCovered }: { readonly view: DecisionView; readonly isCovered: boolean }): ReactNode {
  const { session } = useApi();
  const isHigh = !isCovered && view.effects.some(({ risk }) => risk === "high");
  return (
    <div className={css["routed"]}>
      <RouteChip route={view.route} />
      {isHigh ? (
        <p className="route">
          <span className={css["high"]}>
            <MarkOf name="warning" tone="stop" /> risk high
          </span>
          <span>{highWords(view, isOwnHalf(view, session))}</span>
        </p>
      ) : null}
    </div>
  );
}

function highWords(view: DecisionView, isOwn: boolean): string {
  if (!isHalfSigned(view)) return "Two people sign.";
  return isOwn ? "Two people sign. You were the first." : "Two people sign. You are the second.";
}

function Standing({ view }: { readonly view: DecisionView }): ReactNode {
  const now = useNowUntil(view.expiresAt);
  const isPast = !isOpen(view, now) && (view.state === "waiting" || view.state === "needs_person");
  const line = stateLine(isPast ? { ...view, state: "expired" } : view);
  return (
    <div className="card padded">
      <StateLine line={line} size="statement" />
    </div>
  );
}
