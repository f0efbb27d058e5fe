import type { DecisionView } from "../../../../src/contract/views.ts";
import type { Mark, Tone } from "../../parts/mark.tsx";
import { plainName } from "../../words/plain.ts";
import { isHalfSigned, routeTones, stateLine, titleOf } from "../../words/states.ts";
import { durationWords, timeWords } from "../../words/times.ts";
import { isCoveredKind, isOwnHalf, isPast, isWithAnother, ownUntil, type Reader, staleEffects } from "./standing.ts";

/** What one row of the queue says. */
export interface RowWords {
  readonly mark: Mark;
  readonly tone: Tone;
  readonly title: string;
  readonly capability: string;
  /** What is news about it: what is left of its time, who has it, where it stands. */
  readonly news: string;
  readonly newsTone: Extract<Tone, "wait" | "stop"> | null;
  /** It asks nothing of this reader now. */
  readonly isQuiet: boolean;
}

const minute = 60_000;

/** The words of a row, for whoever looks at the queue now. */
export function rowWords({
  view,
  me,
  nameOf,
  now,
  isCovered,
}: {
  readonly view: DecisionView;
  readonly me: Reader;
  readonly nameOf: (id: string) => string;
  readonly now: number;
  readonly isCovered: boolean;
}): RowWords {
  const words = { title: rowTitle(view, isCovered), capability: view.capability };
  const ended = endedWords(view, now);
  if (ended !== null) return { ...words, ...ended, newsTone: null, isQuiet: true };
  const left = view.expiresAt === null ? null : view.expiresAt - now;
  const span = left === null ? "" : durationWords(left);
  const time = left === null ? "" : `${span} left`;
  const newsTone = toneOf(left);
  const shape = shapeOf(view);
  if (isWithAnother(view, me, now))
    return { ...words, ...shape, news: `with ${nameOf(view.taken?.by ?? "")}`, newsTone: null, isQuiet: true };
  if (isOwnHalf(view, me)) return { ...words, ...shape, news: joined("you signed", span), newsTone: null, isQuiet: true };
  if (isHalfSigned(view)) return { ...words, ...shape, news: joined("second signature", span), newsTone, isQuiet: false };
  const until = ownUntil(view, me, now);
  if (until !== null)
    return { ...words, ...shape, news: `yours until ${timeWords(until, now, false)}`, newsTone: null, isQuiet: false };
  if (view.state === "needs_person") return { ...words, ...shape, news: joined("to decide", span), newsTone, isQuiet: false };
  return { ...words, ...shape, news: isCovered ? joined("from scratch", span) : time, newsTone, isQuiet: false };
}

/** What an item is called; a covered one only by what was asked. */
export function rowTitle(view: DecisionView, isCovered: boolean): string {
  if (!isCovered) return titleOf(view);
  return view.request ?? `${plainName(view.capability)}: decide from scratch`;
}

/** Says whether what a decision proposed is covered for a reader who has compared it or not. */
export function isCoveredFor(view: DecisionView, me: Reader, hasCompared: boolean): boolean {
  return isCoveredKind(view) && !hasCompared && view.requestedBy !== me.id && me.roles.includes("approver");
}

function endedWords(view: DecisionView, now: number): { mark: Mark; tone: Tone; news: string } | null {
  if (isPast(view, now)) return { mark: "dash", tone: "quiet", news: "expired, nothing applied" };
  if (staleEffects(view).length > 0) return { mark: "dash", tone: "quiet", news: "refused: stale" };
  if (view.obstacle === null && (view.state === "waiting" || view.state === "needs_person")) return null;
  const { mark, tone, words } = stateLine(view);
  return { mark, tone, news: `${words[0]?.toLowerCase() ?? ""}${words.slice(1)}` };
}

function shapeOf(view: DecisionView): { mark: Mark; tone: Tone } {
  if (isHalfSigned(view) || view.route === null) return { mark: "pen", tone: "person" };
  return { mark: view.route, tone: routeTones[view.route] };
}

function toneOf(left: number | null): RowWords["newsTone"] {
  if (left === null || left >= 120 * minute) return null;
  return left < 15 * minute ? "stop" : "wait";
}

function joined(...words: readonly string[]): string {
  return words.filter((word) => word !== "").join(", ");
}
