import type { ReactNode } from "react";
import type { Route, Verdict } from "../../../src/contract/words.ts";
import { routeTones, routeWords } from "../words/states.ts";
import { MarkOf, type Tone } from "./mark.tsx";

/** How the deciding side routed it: its circle, the stored word, and what that means for the reader. */
export function RouteChip({ route, isAlone = false }: { readonly route: Route | null; readonly isAlone?: boolean }): ReactNode {
  if (route === null) return null;
  const tone = routeTones[route];
  return (
    <p className="route">
      <span className={`tag tag-${tone}`}>
        <MarkOf name={route} tone={tone} /> {route}
      </span>
      {isAlone ? null : <span> {routeWords[route]}</span>}
    </p>
  );
}

const verdictTones: Readonly<Record<Verdict, Tone>> = {
  complete: "done",
  incomplete: "wait",
  failed: "stop",
  unknown: "unknown",
};

/** What an independent read found: its square and the stored word. */
export function VerdictChip({ verdict }: { readonly verdict: Verdict }): ReactNode {
  const tone = verdictTones[verdict];
  return (
    <span className={`tag tag-${tone}`}>
      <MarkOf name={verdict} tone={tone} /> {verdict}
    </span>
  );
}
