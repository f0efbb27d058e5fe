import { type ReactNode, useEffect, useRef } from "react";
import type { NodeName } from "../../../../src/contract/words.ts";
import { KeyCap } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { routeTones } from "../../words/states.ts";
import css from "./decision.module.css";
import type { NodeCell } from "./nodes.ts";
import { tookWords } from "./took-words.ts";

/** The twelve nodes of a decision, and where its time went; below 900 px a list. A cell opens what its node added. */
export function NodeStrip({
  nodes,
  chosen,
  onChoose,
}: {
  readonly nodes: readonly NodeCell[];
  readonly chosen: NodeName;
  readonly onChoose: (name: NodeName) => void;
}): ReactNode {
  const times = nodes.map(({ ms }) => ms ?? 0);
  const all = times.reduce((sum, ms) => sum + ms, 0);
  const areTimesTold = nodes.some(({ ms }) => ms !== null);
  return (
    <section className={css["strip-frame"]} aria-labelledby="nodes">
      <h2 id="nodes">Twelve nodes</h2>
      <div className={`card ${css["strip"]}`}>
        <ol className={css["cells"]}>
          {nodes.map((node) => (
            <li key={node.name}>
              <Cell node={node} isChosen={node.name === chosen} onChoose={() => onChoose(node.name)} />
            </li>
          ))}
        </ol>
        {all > 0 ? <Shares nodes={nodes} all={all} chosen={chosen} /> : null}
      </div>
      <p className={css["under"]}>
        <span className="meta">
          {areTimesTold
            ? `${tookWords(all)} in all. The bar shows where the time went.`
            : "How long each took is told to auditors."}
        </span>
        <span className={`meta ${css["arrows"]}`}>
          <KeyCap>←</KeyCap>
          <KeyCap>→</KeyCap> node
        </span>
      </p>
    </section>
  );
}

function Cell({
  node: { number, name, ms, fact, isDoubt, route, end },
  isChosen,
  onChoose,
}: {
  readonly node: NodeCell;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const cell = useRef<HTMLButtonElement>(null);
  // The strip scrolls in itself where it is wider than the page.
  useEffect(() => {
    if (isChosen) cell.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isChosen]);
  return (
    <button
      ref={cell}
      type="button"
      className={`${css["cell"]} ${isChosen ? css["cell-chosen"] : ""} ${end === "not_reached" ? css["cell-unreached"] : ""}`}
      aria-current={isChosen ? "true" : undefined}
      aria-controls="node-detail"
      onClick={onChoose}
    >
      <span className={css["cell-number"]}>
        {number} {isDoubt ? <MarkOf name="warning" tone="wait" /> : null}
        {isDoubt ? <span className="hidden">look here</span> : null}
      </span>
      <span className={css["cell-name"]}>
        {name.split("_").map((part, place, parts) => (
          <span key={part}>
            {part}
            {place === parts.length - 1 ? null : "_"}
            <wbr />
          </span>
        ))}
      </span>
      <span className={css["cell-fact"]}>{ms === null ? "" : tookWords(ms)}</span>
      <span className={css["cell-fact"]}>
        {route === null ? fact : <MarkOf name={route} tone={routeTones[route]} />}
        {route === null ? null : <span className="hidden">{route}</span>}
      </span>
    </button>
  );
}

/** Where the time went: one piece of the bar for each node, as long as its share. */
function Shares({
  nodes,
  all,
  chosen,
}: {
  readonly nodes: readonly NodeCell[];
  readonly all: number;
  readonly chosen: NodeName;
}): ReactNode {
  let before = 0;
  return (
    <svg className={css["shares"]} viewBox="0 0 1000 6" preserveAspectRatio="none" role="img" aria-label={longest(nodes, all)}>
      {nodes.map(({ name, ms }, place) => {
        const width = ((ms ?? 0) / all) * 1000;
        const x = before;
        before += width;
        const own = place % 2 === 0 ? "var(--chart2)" : "var(--chart3)";
        return <rect key={name} x={x} y="0" width={width} height="6" fill={name === chosen ? "var(--accent)" : own} />;
      })}
    </svg>
  );
}

function longest(nodes: readonly NodeCell[], all: number): string {
  const [most] = nodes.toSorted((a, b) => (b.ms ?? 0) - (a.ms ?? 0));
  if (most === undefined) return "Where the time went";
  return `Where the time went: most of it in ${most.name}, ${tookWords(most.ms ?? 0)} of ${tookWords(all)}`;
}
