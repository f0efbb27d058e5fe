import type { ReactNode } from "react";
import type { FoundPassages, Passage, PassageReference } from "../../../../src/contract/found-passages.ts";
import { onePpm } from "../../../../src/contract/words.ts";
import { Button } from "../../parts/button.tsx";
import { Time } from "../../parts/time.tsx";
import { plainCount, plainShare } from "../../words/plain.ts";
import css from "./search.module.css";
import { placeOf } from "./search-words.ts";

/** One passage with its document, section and page, as the index holds it. Its text is quoted: links in it are dead. */
export function PassageCard({
  found,
  chosen,
  query,
  onClose,
}: {
  readonly found: FoundPassages;
  readonly chosen: string | null;
  readonly query: string;
  readonly onClose: () => void;
}): ReactNode {
  const at = Math.max(
    0,
    found.content.findIndex(({ id }) => id === chosen),
  );
  const passage = found.content[at];
  if (passage === undefined) return null;
  const isBest = chosen === null;
  return (
    <section aria-labelledby="passage-title">
      <header className={css["section-head"]}>
        <h2 id="passage-title">{isBest ? "Best passage" : `Passage ${at + 1}`}</h2>
        <span className="meta">
          evidence {plainShare(Math.round(passage.score * onePpm))} of 1: how much of the query stands in it, rare words first
        </span>
      </header>
      <article className="card padded">
        <p className={css["passage-place"]}>
          <span>
            <strong>
              {passage.title} {passage.version}
            </strong>{" "}
            <span className="detail">{placeWords(passage, found.references[at])}</span>
          </span>
          {isBest ? null : (
            <Button isSmall keyName="esc" onClick={onClose}>
              Close
            </Button>
          )}
        </p>
        <Quote text={passage.text} query={query} />
        <Standing passage={passage} reference={found.references[at]} />
      </article>
    </section>
  );
}

function placeWords(passage: Passage, reference: PassageReference | undefined): string {
  if (reference === undefined) return placeOf(passage);
  const { from, to } = reference.characters;
  return `${placeOf(passage)}, characters ${grouped.format(from)} to ${grouped.format(to)}`;
}

const grouped = new Intl.NumberFormat("en-GB");

function Quote({ text, query }: { readonly text: string; readonly query: string }): ReactNode {
  const asked = new Set(query.toLowerCase().match(word) ?? []);
  let from = 0;
  const pieces = text.split(/([\p{L}\p{N}]+)/u).map((piece) => {
    const at = from;
    from += piece.length;
    return { at, piece, isAsked: piece.length > 2 && asked.has(piece.toLowerCase()) };
  });
  return (
    <blockquote className={css["quote"]}>
      {pieces.map(({ at, piece, isAsked }) => (isAsked ? <strong key={at}>{piece}</strong> : piece))}
    </blockquote>
  );
}

const word = /[\p{L}\p{N}]+/gu;

function Standing({
  passage,
  reference,
}: {
  readonly passage: Passage;
  readonly reference: PassageReference | undefined;
}): ReactNode {
  return (
    <p className="meta">
      <span>Document {passage.document}. </span>
      {passage.isAuthority === true ? "It is the place where its subject is laid down. " : ""}
      {passage.isCurrent === false ? "Not in force at the reference time. " : "In force at the reference time. "}
      {reference === undefined ? null : (
        <>
          Indexed <Time at={reference.indexedAt} isExact={false} />. Access checked <Time at={reference.accessCheckedAt} />.
        </>
      )}
    </p>
  );
}

/** What was found and not brought, and why; the nearest first. */
export function Dropped({
  found,
  nameOf,
}: {
  readonly found: FoundPassages;
  readonly nameOf: (id: string) => { readonly title: string; readonly place: string };
}): ReactNode {
  const { dropped } = found.activity;
  const rows = dropped.slice(0, mostDropped);
  return (
    <section aria-labelledby="dropped-title">
      <header className={css["section-head"]}>
        <h2 id="dropped-title">Dropped, and why</h2>
        <span className="meta">{plainCount(dropped.length)}</span>
      </header>
      <ul className={`card ${css["list"]}`}>
        {rows.map(({ id, why }) => (
          <li key={id}>
            <strong>{nameOf(id).title}</strong>{" "}
            <span className="detail">
              {nameOf(id).place}; {whyDropped[why]}
            </span>
          </li>
        ))}
        {dropped.length > rows.length ? (
          <li>
            <strong>{plainCount(dropped.length - rows.length)} more</strong>{" "}
            <span className="detail">{whyDropped.beyond_limit}</span>
          </li>
        ) : null}
        {dropped.length === 0 ? <li className="detail">All that was found for you was brought.</li> : null}
      </ul>
    </section>
  );
}

const mostDropped = 8;
const whyDropped = { beyond_limit: "below the limit of passages" } as const;
