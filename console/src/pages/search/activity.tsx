import type { ReactNode } from "react";
import type { SearchActivity } from "../../../../src/contract/found-passages.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { counted } from "../../words/plain.ts";
import { durationWords } from "../../words/times.ts";
import css from "./search.module.css";

/** Under whose permission, as of when and with which filters it was searched: part of the query, not taken out of its result. */
export function Permission({ filters, who }: Pick<SearchActivity, "filters"> & { readonly who: string }): ReactNode {
  const pairs = Object.entries(filters.metadata).map(([name, value]) => `${name} = ${value}`);
  return (
    <p className={css["permission"]}>
      <MarkOf name="tick" tone="quiet" />
      <span>
        <strong>Filter in the query:</strong> what {who} may see, {filters.includesNotCurrent ? "in force or not" : "in force"} at{" "}
        <Time at={filters.at} isExact={false} />
        {filters.collection === null ? "" : `, collection ${filters.collection}`}
        {pairs.length === 0 ? "" : `, ${pairs.join(", ")}`}.{" "}
        <span className="detail">Others are in no result, rank or count.</span>
      </span>
    </p>
  );
}

/** What the search did with the query, and how long it took. */
export function Activity({ activity }: { readonly activity: SearchActivity }): ReactNode {
  const { legs, commonWords, wordsLeftOut, ms } = activity;
  const on = legs.filter(({ weight }) => weight > 0).length;
  return (
    <p className={`detail ${css["activity"]}`}>
      {on === 1 ? "1 leg was asked" : `${counted(on, "leg")} were asked, one after another`}, {durationWords(ms)} in all.
      {commonWords.length === 0 ? "" : ` So common that they only ordered what other words found: ${commonWords.join(", ")}.`}
      {wordsLeftOut === 0
        ? ""
        : ` ${counted(wordsLeftOut, "word")} of the query ${wordsLeftOut === 1 ? "was" : "were"} left out: it has too many.`}
    </p>
  );
}
