import type { ReactNode } from "react";
import type { Line } from "../words/states.ts";
import { MarkOf } from "./mark.tsx";

/** Where something stands: its mark, the word and what it means; `statement` is the largest line of a card. */
export function StateLine({
  line: { mark, tone, words, detail },
  size = "step",
}: {
  readonly line: Line;
  readonly size?: "statement" | "step";
}): ReactNode {
  return (
    <div className={`line line-${size}`}>
      <MarkOf name={mark} tone={tone} />
      <div>
        <strong>{words}</strong> <span className="detail">{detail}</span>
      </div>
    </div>
  );
}
