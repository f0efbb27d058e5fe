import type { ReactNode } from "react";
import type { ExplainedLook, Explanation } from "../../../../src/contract/explanation.ts";
import type { EntryView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { isSame } from "../../words/changes.ts";
import { plainName, plainValue } from "../../words/plain.ts";
import css from "./chain.module.css";
import { chainGroups, tellingLooks } from "./chain-groups.ts";
import { toldEntry } from "./told-entry.ts";

/** The causal chain: each entry with its place in the ledger, who wrote it and what it says; what was expected against what was seen. */
export function CausalChain({ told }: { readonly told: Explanation }): ReactNode {
  const looks = tellingLooks(told);
  const seqs = new Map(told.entries.map(({ id, seq }) => [id, seq]));
  const places = new Map(told.entries.map(({ id }, place) => [id, place]));
  return (
    <section aria-labelledby="chain">
      <div className={css["heading"]}>
        <h2 id="chain">Causal chain</h2>
        <span className="meta">each entry follows the one above, or names another</span>
      </div>
      <div className={`card ${css["chain"]}`}>
        {chainGroups(told).map(({ key, title, entries }) => (
          <div key={key}>
            {title === null ? null : <h3>{title}</h3>}
            <ol>
              {entries.map((entry) => (
                <ChainRow key={entry.id} entry={entry} look={looks.get(entry.id)} follows={followed(entry, { seqs, places })} />
              ))}
            </ol>
          </div>
        ))}
      </div>
    </section>
  );
}

const place = new Intl.NumberFormat("en-GB");

/** The place of the entry that this one follows, where that is not the one before it. */
function followed(
  { id, cause }: EntryView,
  { seqs, places }: { readonly seqs: ReadonlyMap<string, number | null>; readonly places: ReadonlyMap<string, number> },
): number | null {
  if (cause === null || places.get(cause) === (places.get(id) ?? 0) - 1) return null;
  return seqs.get(cause) ?? null;
}

function ChainRow({
  entry,
  look,
  follows,
}: {
  readonly entry: EntryView;
  readonly look: ExplainedLook | undefined;
  readonly follows: number | null;
}): ReactNode {
  const { nameOf } = useApi();
  const { mark, tone, sentence } = toldEntry(entry, nameOf);
  return (
    <li className={css["entry"]}>
      <span className={css["seq"]}>
        {entry.seq === null ? (
          <span title="Not sealed yet">
            …<span className="hidden">not sealed yet</span>
          </span>
        ) : (
          place.format(entry.seq)
        )}
      </span>
      <span className={css["at"]}>
        <Time at={entry.ts} />
      </span>
      <MarkOf name={mark} tone={tone} />
      <strong className={css["kind"]}>{entry.kind}</strong>
      <div className={css["said"]}>
        <p>
          {sentence} <span className="meta">{entry.writer}</span>
          {follows === null ? null : <span className="meta"> follows {place.format(follows)}</span>}
        </p>
        {look === undefined ? null : <Look look={look} />}
      </div>
    </li>
  );
}

/** What was expected against what the separate read saw. */
function Look({ look: { expected, observed, differs, forbidden, fault } }: { readonly look: ExplainedLook }): ReactNode {
  const fields = [...new Set([...Object.keys(expected ?? {}), ...forbidden])];
  if (fault !== null) return <p className="meta">The read could not be made: {fault.replaceAll("_", " ")}.</p>;
  if (fields.length === 0) return null;
  return (
    <table className={css["look"]}>
      <caption className="hidden">Expected against observed</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Expected</th>
          <th scope="col">Observed</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const wanted = expected?.[field];
          const seen = observed?.[field];
          const isOff = differs.includes(field) || forbidden.includes(field);
          return (
            <tr key={field}>
              <th scope="row">{plainName(field)}</th>
              <td>{wanted === undefined ? "as it was" : plainValue(wanted)}</td>
              <td>
                {isOff ? <MarkOf name="warning" tone="wait" /> : null}{" "}
                <strong>{observed === null ? "nothing was there" : plainValue(seen ?? null)}</strong>
                {isOff && !isSame(wanted, seen) ? <span className="hidden"> differs</span> : null}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
