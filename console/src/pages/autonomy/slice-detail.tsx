import type { ReactNode } from "react";
import type { SliceView } from "../../../../src/contract/autonomy.ts";
import { neverAutoPpm } from "../../../../src/contract/words.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { plainCount, plainPercent } from "../../words/plain.ts";
import { AgreementChart } from "./agreement-chart.tsx";
import css from "./autonomy.module.css";
import { Simulate } from "./simulate.tsx";
import { SliceBar } from "./slice-bar.tsx";
import { findingWords, proposalWords, sliceState, thresholdWords } from "./slice-words.ts";
import type { Opening } from "./use-opening.ts";

/** One slice beside the table: what it has earned, what would change, what a threshold would have let through, and what may be signed. */
export function SliceDetail({
  slice,
  opening,
  onClose,
}: {
  readonly slice: SliceView;
  readonly opening: Opening;
  readonly onClose: () => void;
}): ReactNode {
  const { proposal, bins, thresholdPpm } = slice;
  return (
    <>
      <div className={css["body"]}>
        <Head slice={slice} onClose={onClose} />
        {bins.length === 0 ? (
          <p className="detail">No decision of it was judged in this time, so there is no picture yet.</p>
        ) : (
          <AgreementChart
            bins={bins}
            thresholdPpm={proposal?.thresholdPpm ?? thresholdPpm}
            label={proposal === null ? "T" : "proposed T"}
          />
        )}
        {proposal === null ? null : <Changes slice={slice} proposal={proposal} />}
        <Simulate slice={slice} />
        <Commands slice={slice} />
      </div>
      <SliceBar slice={slice} opening={opening} onClose={onClose} />
    </>
  );
}

function Head({ slice, onClose }: { readonly slice: SliceView; readonly onClose: () => void }): ReactNode {
  const { capability, capabilityVersion, owner, proposal, thresholdPpm, decisions, agreed } = slice;
  const { mark, tone, words, detail } = sliceState(slice);
  const share = decisions === 0 ? "" : `, ${plainPercent(agreed / decisions)}`;
  return (
    <header className={css["head"]}>
      <p className={css["head-line"]}>
        <span className="meta">
          {capability} version {capabilityVersion}, {slice.slice}; owner {owner}
        </span>
        <button type="button" className="link" onClick={onClose}>
          Close
        </button>
      </p>
      <h2 className={css["title"]}>{titleOf(thresholdPpm, proposal?.thresholdPpm ?? null)}</h2>
      <p>
        <span className={`tag tag-${tone}`}>
          <MarkOf name={mark} tone={tone} /> {words}
        </span>{" "}
        <span className="detail">{detail}</span>
      </p>
      <p>{proposal === null ? findingWords(slice) : proposalWords(slice)}</p>
      {slice.finding.kind === "stricter" && proposal !== null ? <p>{findingWords(slice)}</p> : null}
      <p className="meta">
        Judged: {plainCount(decisions)}; people agreed with {plainCount(agreed)}
        {share}, whatever the confidence. One look proposes a threshold that does not hold with a chance of at most 2.5%; each
        further look is another chance.
      </p>
    </header>
  );
}

function titleOf(stands: number, proposed: number | null): string {
  if (proposed === null)
    return stands >= neverAutoPpm ? "Every proposal goes to a person" : `T stands at ${thresholdWords(stands)}`;
  if (stands >= neverAutoPpm) return `Open it from T ${thresholdWords(proposed)} on`;
  return `${proposed < stands ? "Lower" : "Raise"} T from ${thresholdWords(stands)} to ${thresholdWords(proposed)}`;
}

function Changes({
  slice: { thresholdPpm, capability, slice },
  proposal,
}: {
  readonly slice: SliceView;
  readonly proposal: NonNullable<SliceView["proposal"]>;
}): ReactNode {
  return (
    <section className={css["section"]} aria-labelledby="changes-title">
      <h3 id="changes-title">What changes if you sign</h3>
      <table className={`changes card ${css["changes"]}`}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Now</th>
            <th scope="col">After signing</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              T of {capability}, {slice}
            </th>
            <td className="now">
              <del>
                <span className="hidden">before </span>− {thresholdWords(thresholdPpm)}
              </del>
            </td>
            <td className="after">
              <ins>
                <span className="hidden">after </span>+ {thresholdWords(proposal.thresholdPpm)}
              </ins>
            </td>
          </tr>
        </tbody>
      </table>
      <p className="meta">
        Rests on decisions from <Time at={proposal.from} /> to <Time at={proposal.until} />, made by {proposal.models.join(", ")},
        with the calibration {proposal.calibration}. {plainPercent(proposal.auditPpm / 1_000_000)} of what would go auto is shown
        to people all the same. Proposal <code>{proposal.digest.slice(0, 12)}</code>.
      </p>
    </section>
  );
}

function Commands({ slice: { capability, slice, proposal } }: { readonly slice: SliceView }): ReactNode {
  const of = `${capability} ${slice}`;
  const lines = [
    `countersign autonomy simulate ${of} --at 0.93`,
    ...(proposal === null
      ? []
      : [`countersign autonomy sign ${of} ${proposal.thresholdPpm}.${proposal.until}.${proposal.digest}`]),
    `countersign autonomy close ${of}`,
    `countersign autonomy fit ${capability} --out ${capability}.calibration.json`,
  ];
  return (
    <details className={css["commands"]}>
      <summary>The same at the command line</summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <code>{line}</code> <CopyButton text={line}>Copy</CopyButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
