import { type ReactNode, useEffect, useState } from "react";
import { StateLine } from "../../parts/state-line.tsx";
import { Time } from "../../parts/time.tsx";
import css from "./ask.module.css";

/** What is shown while a request is being decided: what is known of it, and nothing more. It shows after 300 ms. */
export function BeingDecided({ text, at }: { readonly text: string; readonly at: number }): ReactNode {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <article className={css["request"]} aria-label="Being decided">
      <header>
        <h2>{text}</h2>
        <span className="meta">
          sent <Time at={at} />
        </span>
      </header>
      <div className="card">
        <div className="padded" role="status">
          <StateLine
            size="statement"
            line={{
              ...{ mark: "dash", tone: "quiet", words: "Being decided" },
              detail: "What you may read is looked up and the request is decided. Nothing is changed meanwhile.",
            }}
          />
        </div>
        <footer className={css["foot"]}>
          <span className="meta">You may leave this page: it is decided all the same, and stands here when you come back.</span>
        </footer>
      </div>
    </article>
  );
}
