import type { ReactNode } from "react";
import type { FoundPassages, LegActivity } from "../../../../src/contract/found-passages.ts";
import { Filters } from "../../parts/data-table.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { counted } from "../../words/plain.ts";
import { Lines } from "./lines.tsx";
import css from "./search.module.css";
import { legName, namesOf, type RowWords } from "./search-words.ts";

/** What each leg found, and beside it what came of joining them by rank; lines say where each passage went. */
export function Legs({
  found,
  chosen,
  onChoose,
}: {
  readonly found: FoundPassages;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const { search, set } = useAddress();
  const { legs } = found.activity;
  const picked = Math.max(
    0,
    legs.findIndex(({ name }) => name === search["leg"]),
  );
  const left = legs[0];
  const right = legs[picked > 0 ? picked : 1];
  const shown = found.content.map(({ id }) => id);
  const most = Math.max(6, shown.length);
  const side = (leg: LegActivity) => ({ leg, shown, most, chosen });
  return (
    <section aria-labelledby="legs-title">
      <h2 id="legs-title" className="hidden">
        What was found
      </h2>
      <div className={legs.length > 2 ? "toolbar" : css["picker"]}>
        <Filters
          label="What is shown"
          chosen={search["leg"] ?? ""}
          onChoose={(leg) => set({ leg: leg || undefined }, true)}
          options={[{ value: "", words: "Joined" }, ...legs.map(({ name }) => ({ value: name, words: legName(name) }))]}
        />
      </div>
      <div
        className={css["legs"]}
        data-legs={right === undefined ? 1 : 2}
        data-beside={picked > 0 ? "right" : "left"}
        data-one={search["leg"] === undefined ? "joined" : "leg"}
      >
        {left === undefined ? null : (
          <>
            <LegList {...side(left)} place="left" nameOf={namesOf(found)} />
            <Lines {...side(left)} place="left" />
          </>
        )}
        <Joined found={found} chosen={chosen} onChoose={onChoose} />
        {right === undefined ? null : (
          <>
            <Lines {...side(right)} place="right" />
            <LegList {...side(right)} place="right" nameOf={namesOf(found)} />
          </>
        )}
      </div>
    </section>
  );
}

function LegList({
  leg: { name, weight, ranks },
  most,
  chosen,
  place,
  nameOf,
}: {
  readonly leg: LegActivity;
  readonly most: number;
  readonly chosen: string | null;
  readonly place: "left" | "right";
  readonly nameOf: (id: string) => RowWords;
}): ReactNode {
  const title = `leg-${place}`;
  return (
    <section className={css["leg"]} data-side={place} aria-labelledby={title}>
      <header>
        <h3 id={title}>{legName(name)}</h3>
        <span className="meta">{weight > 0 ? `${counted(ranks.length, "candidate")}, weight ${weight}` : "switched off"}</span>
      </header>
      <ol>
        {ranks.slice(0, most).map((id, at) => (
          <li key={id} className={`${css["row"]} ${id === chosen ? css["chosen"] : ""}`}>
            <Row rank={at + 1} {...nameOf(id)} />
          </li>
        ))}
      </ol>
      {ranks.length === 0 ? <p className={css["cut"]}>Found nothing that you may see.</p> : null}
      {ranks.length > most ? <p className={css["cut"]}>{counted(ranks.length - most, "further candidate")} of this leg</p> : null}
    </section>
  );
}

function Joined({
  found,
  chosen,
  onChoose,
}: {
  readonly found: FoundPassages;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const { content, activity } = found;
  const nameOf = namesOf(found);
  return (
    <section className={`${css["leg"]} ${css["joined"]}`} data-joined="" aria-labelledby="leg-joined">
      <header>
        <h3 id="leg-joined">Joined by rank</h3>
        <span className="meta">{counted(content.length, "passage")} brought, best first</span>
      </header>
      <ol>
        {content.map(({ id }, at) => (
          <li key={id}>
            <button
              type="button"
              className={`${css["row"]} ${id === chosen ? css["chosen"] : ""}`}
              data-row={id}
              aria-current={id === chosen ? "true" : undefined}
              onClick={() => onChoose(id)}
            >
              <Row rank={at + 1} {...nameOf(id)}>
                {ranksIn(id, activity.legs)}
              </Row>
            </button>
          </li>
        ))}
      </ol>
      {activity.dropped.length === 0 ? null : (
        <p className={css["cut"]}>cut: {counted(activity.dropped.length, "passage")} below the limit</p>
      )}
    </section>
  );
}

function Row({ rank, title, place, children }: RowWords & { readonly rank: number; readonly children?: ReactNode }): ReactNode {
  return (
    <>
      <span className={css["rank"]}>{rank}</span>
      <span className={css["names"]} title={`${title}, ${place}`}>
        <span>{title}</span>
        <span className="meta">{place}</span>
      </span>
      {children === undefined ? null : <span className={css["ranks"]}>{children}</span>}
    </>
  );
}

/** The ranks that a passage has in the legs: what its place follows from. */
function ranksIn(id: string, legs: readonly LegActivity[]): string {
  const found = legs.flatMap(({ name, weight, ranks }) => {
    const at = ranks.indexOf(id);
    return at < 0 || weight <= 0 ? [] : [`${legName(name)} ${at + 1}`];
  });
  return found.join(" + ");
}
