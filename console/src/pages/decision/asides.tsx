import type { ReactNode } from "react";
import type { Explanation } from "../../../../src/contract/explanation.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { useNow } from "../../parts/now.tsx";
import css from "./decision.module.css";
import { storySentences } from "./story.ts";

/** The decision told in sentences, from who asked to how it stands. */
export function Story({ told, onClose }: { readonly told: Explanation; readonly onClose: () => void }): ReactNode {
  const { nameOf } = useApi();
  const sentences = storySentences(told, { nameOf, now: useNow("minute") });
  return (
    <Aside title="The story" onClose={onClose}>
      <ol className={css["story"]}>
        {sentences.map((sentence, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a story only grows at its end, and may say a thing twice
          <li key={place}>{sentence}</li>
        ))}
      </ol>
      <CopyButton text={sentences.join("\n")}>Copy the story</CopyButton>
    </Aside>
  );
}

/** How the decision is walked again: where the keys of what was kept are, which is not here. */
export function Replay({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const command = `countersign replay ${id}`;
  return (
    <Aside title="Replay" onClose={onClose}>
      <p>
        It walks the decision again over its recorded context and replies, under the definitions of today: no model is asked and
        nothing is applied. It says the same proposal comes out, or which node differs first. It runs where the decider runs,
        since this page has neither its keys nor its definitions.
      </p>
      <p className={css["command"]}>
        <code>{command}</code> <CopyButton text={command}>Copy the command</CopyButton>
      </p>
      <p className="meta">
        With <code>--model</code>, <code>--prompt</code>, <code>--policy</code> or <code>--corpus now</code> it says what would
        change.
      </p>
    </Aside>
  );
}

function Aside({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className={`card ${css["telling"]}`} aria-label={title}>
      <div className={css["heading"]}>
        <h2>{title}</h2>
        <Button isSmall keyName="esc" onClick={onClose}>
          Close
        </Button>
      </div>
      {children}
    </section>
  );
}
