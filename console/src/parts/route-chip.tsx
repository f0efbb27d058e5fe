import type { ReactNode } from "react";
import type { Route } from "../../../src/contract/words.ts";
import { routeTones, routeWords } from "../words/states.ts";
import { MarkOf } from "./mark.tsx";

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
