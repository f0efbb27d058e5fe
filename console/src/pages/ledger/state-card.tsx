import type { ReactNode } from "react";
import type { LedgerState } from "../../../../src/contract/ledger-view.ts";
import { MarkOf, type Tone } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { plainCount } from "../../words/plain.ts";
import { durationWords } from "../../words/times.ts";
import { shortHash } from "./entry-words.ts";
import css from "./ledger.module.css";
import { place } from "./place.ts";

/** How far the ledger was verified, and what stands behind that word. */
export function StateCard({ state, onOffline }: { readonly state: LedgerState; readonly onOffline: () => void }): ReactNode {
  const { mark, tone, title } = titleOf(state);
  return (
    <section className={`${css["card"]} ${css[`card-${tone}`]}`} aria-labelledby="ledger-state">
      <header>
        <h2 id="ledger-state">
          <MarkOf name={mark} tone={tone} /> {title}
        </h2>
        <p className="meta">
          {state.verifiedAt === null ? (
            "No check has looked yet"
          ) : (
            <>
              whole chain begun {state.begunAt === null ? "never" : <Time at={state.begunAt} />}, last look{" "}
              <Time at={state.verifiedAt} />, by the worker
            </>
          )}
        </p>
      </header>
      <dl className={css["tiles"]}>
        <Tile name="Not yet sealed" value={`${state.unsealed.isOver ? "over " : ""}${plainCount(state.unsealed.count)} entries`}>
          {state.unsealed.oldestMs === null ? "all is sealed" : `oldest ${durationWords(state.unsealed.oldestMs)}`}
        </Tile>
        <Tile name="Head" value={state.headHash === null ? "none yet" : `${place(state.head)}, ${shortHash(state.headHash)}`}>
          the last seal of the chain
        </Tile>
        <CheckpointTile checkpoint={state.checkpoint} />
        <Tile name="Unprotected tail" value={`${plainCount(state.checkpoint?.uncovered ?? state.head)} entries`}>
          since the last checkpoint; whoever has the database and the key could still exchange them
        </Tile>
        <div>
          <dt>Do not trust this page?</dt>
          <dd>
            <button type="button" className="link" onClick={onOffline}>
              Verify an export offline
            </button>
          </dd>
          <dd className="meta">with the stand-alone verifier</dd>
        </div>
      </dl>
    </section>
  );
}

function Tile({
  name,
  value,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
      </dd>
      <dd className="meta">{children}</dd>
    </div>
  );
}

const witnessed = {
  taken: "a witness outside took it",
  refused: "its witness refused it",
  none: "no witness is named",
} as const;

function CheckpointTile({ checkpoint }: Pick<LedgerState, "checkpoint">): ReactNode {
  if (checkpoint === null) {
    return (
      <Tile name="Checkpoint" value="none signed yet">
        a worker with the ledger’s key signs them
      </Tile>
    );
  }
  return (
    <Tile name="Checkpoint" value={`to entry ${place(checkpoint.size)}`}>
      signed <Time at={checkpoint.at} isExact={false} /> with key {checkpoint.keyId}, {witnessed[checkpoint.witness]}
    </Tile>
  );
}

function titleOf({ state, head, verifiedTo, verifiedAt }: LedgerState): {
  readonly mark: "complete" | "dash" | "warning" | "failed";
  readonly tone: Tone;
  readonly title: string;
} {
  switch (state) {
    case "verified":
      return { mark: "complete", tone: "done", title: `Verified: ${place(head)} entries, none changed, removed or moved.` };
    case "checking":
      return {
        mark: "dash",
        tone: "quiet",
        title: `Verified to ${place(verifiedTo)}, checking ${plainCount(head - verifiedTo)}.`,
      };
    case "tampered":
      return { mark: "failed", tone: "stop", title: "Tamper found." };
    case "unverified":
      return {
        mark: "warning",
        tone: "wait",
        title:
          verifiedAt === null
            ? "Not verified yet: no worker has looked."
            : `Could not be verified of late. Until then it held to ${place(verifiedTo)}.`,
      };
  }
}
