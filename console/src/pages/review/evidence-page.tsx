import { type ReactNode, useEffect, useRef } from "react";
import type { Claim } from "../../../../src/contract/proposal.ts";
import type { ReviewItem } from "../../../../src/contract/review-evidence.ts";
import { Button, KeyCap } from "../../parts/button.tsx";
import { useNow } from "../../parts/now.tsx";
import { counted, plainName, plainValue } from "../../words/plain.ts";
import css from "./evidence.module.css";
import { evidenceWords, labelWords } from "./evidence-words.ts";
import { ItemKind } from "./item-kind.tsx";

/** One piece of evidence at its place, in the column of the evidence: marked in what was loaded around it, with the claims it backs. */
export function EvidencePage({
  item,
  items,
  claims,
  onOpen,
}: {
  readonly item: ReviewItem;
  readonly items: readonly ReviewItem[];
  readonly claims: readonly Claim[];
  readonly onOpen: (number: number | null) => void;
}): ReactNode {
  const words = evidenceWords(item, useNow("minute"));
  const others = items.filter(({ number }) => number !== item.number).slice(0, 9);
  return (
    <section className={css["column"]} aria-labelledby="evidence-title">
      <header className={css["page-head"]}>
        <div className={css["title"]}>
          <h2 id="evidence-title">
            <span className="key">{item.number}</span> {words.title}
          </h2>
          <span className={css["end"]}>
            <ItemKind kind={item.kind} />
            <Button isSmall keyName="esc" onClick={() => onOpen(null)}>
              Close
            </Button>
          </span>
        </div>
        <div className={css["title"]}>
          <span className="meta">{words.place}</span>
          <Turns at={item.number} of={items.length} onOpen={onOpen} />
        </div>
      </header>
      <div className={css["paper"]}>
        {item.kind === "passage" ? <Document key={item.id} item={item} items={items} /> : <Plain item={item} />}
      </div>
      <footer className={css["page-foot"]}>
        {item.claims.map((index) =>
          claims[index] === undefined ? null : <p key={index}>Backs the claim “{claims[index].text}”</p>,
        )}
        <p className="meta">{words.foot}</p>
        {others.length === 0 ? null : (
          <p className={css["others"]}>
            Others{" "}
            {others.map(({ number }) => (
              <button key={number} type="button" className={`key ${css["other"]}`} onClick={() => onOpen(number)}>
                <span className="hidden">Evidence </span>
                {number}
              </button>
            ))}
          </p>
        )}
      </footer>
    </section>
  );
}

function Turns({
  at,
  of,
  onOpen,
}: {
  readonly at: number;
  readonly of: number;
  readonly onOpen: (number: number) => void;
}): ReactNode {
  return (
    <span className={css["turns"]}>
      <button type="button" className="link" disabled={at <= 1} onClick={() => onOpen(at - 1)} aria-keyshortcuts="[">
        Back
      </button>
      <KeyCap>[</KeyCap>
      <button type="button" className="link" disabled={at >= of} onClick={() => onOpen(at + 1)} aria-keyshortcuts="]">
        on
      </button>
      <KeyCap>]</KeyCap>
    </span>
  );
}

type Passage = Extract<ReviewItem, { kind: "passage" }>;

/** What was loaded of the same document, in the document's order, with the passage marked. The rest of the document was not loaded. */
function Document({ item, items }: { readonly item: Passage; readonly items: readonly ReviewItem[] }): ReactNode {
  const marked = useRef<HTMLElement>(null);
  useEffect(() => {
    marked.current?.scrollIntoView?.({ block: "nearest" });
  }, []);
  const parts = items
    .filter((one): one is Passage => one.kind === "passage" && one.document === item.document && one.version === item.version)
    .toSorted((a, b) => placeIn(a.id) - placeIn(b.id));
  return (
    <>
      <p className="meta">
        {item.title} {item.version}, {counted(parts.length, "passage")} of it {parts.length === 1 ? "was" : "were"} loaded
      </p>
      {parts.map((part) => (
        <article key={part.id} className={css["part"]}>
          <h3>{part.section}</h3>
          {part.id === item.id ? (
            <mark ref={marked} className={css["marked"]}>
              {part.quote}
            </mark>
          ) : (
            <p>{part.quote}</p>
          )}
        </article>
      ))}
    </>
  );
}

/** A passage's id ends in its place within its document. */
function placeIn(id: string): number {
  return Number(/:(\d+)$/.exec(id)?.[1] ?? 0);
}

function Plain({ item }: { readonly item: Exclude<ReviewItem, Passage> }): ReactNode {
  if (item.kind !== "record") return <p className={css["marked"]}>{item.kind === "fact" ? item.object : item.text}</p>;
  return (
    <table className={css["fields"]}>
      <caption className="hidden">Fields of {item.title}</caption>
      <tbody>
        {item.fields.map(({ name, value, label }) => (
          <tr key={name}>
            <th scope="row">{plainName(name)}</th>
            <td>
              {plainValue(value)} {labelWords(label) === "" ? null : <span className="outside">{labelWords(label)}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
