import type { ReactNode } from "react";
import { type Mark, MarkOf, type Tone } from "./mark.tsx";

/** Something that holds for what is below it, which stays readable. Screen readers are told it as it appears. */
export function Banner({
  mark = "warning",
  tone = "wait",
  title,
  children,
}: {
  readonly mark?: Mark;
  readonly tone?: Extract<Tone, "wait" | "stop" | "unknown">;
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className={`banner banner-${tone}`} role={tone === "stop" ? "alert" : "status"}>
      <MarkOf name={mark} tone={tone} />
      <div>
        <strong>{title}</strong> {children}
      </div>
    </div>
  );
}
