import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { LedgerEntryView } from "../../../../src/contract/ledger-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import { canHash } from "./bytes.ts";
import { checkEntry, type EntryFault } from "./check-entry.ts";
import css from "./entry.module.css";
import { EntryProof } from "./entry-proof.tsx";
import { faultSentence, kindLine, whatOf } from "./entry-words.ts";
import { place } from "./place.ts";

/** One entry whole: its place in the chain, its bytes, what of its payload is open to the reader, and a proof that it stands there. */
export function EntryDetail({
  id,
  onOpen,
  onClose,
}: {
  readonly id: string;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { client } = useApi();
  // An entry never changes; only its seal may be missing yet.
  const { data, error, refetch } = useQuery({ queryKey: ["ledger", "entry", id], queryFn: () => client.ledgerEntry(id) });
  return (
    <>
      <div className={css["body"]}>
        {data === undefined ? (
          error === null ? (
            <LoadingRows what="the entry" rows={8} height={34} />
          ) : (
            <ErrorState error={error} what="The entry" again={() => void refetch()} />
          )
        ) : (
          <Entry entry={data} onOpen={onOpen} />
        )}
      </div>
      <div className={css["bar"]}>
        <Button keyName="esc" onClick={onClose}>
          Back to the list
        </Button>
      </div>
    </>
  );
}

function Entry({ entry, onOpen }: { readonly entry: LedgerEntryView; readonly onOpen: (id: string) => void }): ReactNode {
  const { mark, tone, words } = kindLine(entry);
  return (
    <>
      <header>
        <p className="meta">{entry.seq === null ? "Waits for its seal" : `Entry ${place(entry.seq)}`}</p>
        <h2 className={css["entry-title"]}>
          <MarkOf name={mark} tone={tone} /> {words}
        </h2>
        <p className="detail">
          {whatOf(entry)}
          {entry.effectIndex === null ? "" : `, effect ${entry.effectIndex + 1}`}
        </p>
      </header>
      <OwnCheck entry={entry} />
      <Facts entry={entry} onOpen={onOpen} />
      <Payload entry={entry} />
      <section aria-labelledby="bytes-title">
        <h3 id="bytes-title">The bytes that are hashed</h3>
        <pre className={css["bytes"]}>{entry.bytes}</pre>
        <CopyButton text={entry.bytes}>Copy the bytes</CopyButton>
      </section>
      {entry.seq === null ? null : <EntryProof key={entry.id} entry={entry} />}
    </>
  );
}

/** What this browser computes of the entry by itself. */
function OwnCheck({ entry }: { readonly entry: LedgerEntryView }): ReactNode {
  const { session } = useApi();
  const { data } = useQuery({
    queryKey: ["held", "own-check", entry.id, entry.bytes, entry.hash, entry.sealHash],
    queryFn: async (): Promise<{ readonly fault: EntryFault | null }> => ({ fault: await checkEntry(entry, session.tenant) }),
    enabled: canHash(),
  });
  if (!canHash())
    return <p className="meta">This browser hashes only over https or on the machine itself, so nothing was computed here.</p>;
  if (data === undefined) return null;
  const { fault } = data;
  return (
    <p>
      <MarkOf name={fault === null ? "tick" : "warning"} tone={fault === null ? "done" : "stop"} />{" "}
      {fault === null
        ? `Computed here: the bytes give this hash${entry.seq === null ? "" : ", and the seal is that of this place"}.`
        : `Computed here: ${faultSentence(fault)}.`}
    </p>
  );
}

function Facts({ entry, onOpen }: { readonly entry: LedgerEntryView; readonly onOpen: (id: string) => void }): ReactNode {
  const { ts, sealedAt, writer, decisionId, cause, hash, prevHash, sealHash } = entry;
  return (
    <dl className={css["facts"]}>
      <div>
        <dt>Written</dt>
        <dd>
          <Time at={ts} /> by {writer}
        </dd>
      </div>
      <div>
        <dt>Sealed</dt>
        <dd>{sealedAt === null ? "not yet" : <Time at={sealedAt} />}</dd>
      </div>
      <div>
        <dt>Decision</dt>
        <dd>
          {decisionId === null ? (
            "none: it concerns the tenant"
          ) : (
            <Link to="/decisions/$id" params={{ id: decisionId }}>
              <code>{decisionId}</code>
            </Link>
          )}
        </dd>
      </div>
      <div>
        <dt>Follows</dt>
        <dd>
          {cause === null ? (
            "no entry"
          ) : (
            <button type="button" className="link" onClick={() => onOpen(cause)}>
              <code>{cause}</code>
            </button>
          )}
        </dd>
      </div>
      <Hash name="Hash" hash={hash} />
      <Hash name="Seal" hash={sealHash} />
      <Hash name="Seal before" hash={prevHash} />
    </dl>
  );
}

function Hash({ name, hash }: { readonly name: string; readonly hash: string | null }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{hash === null ? "none yet" : <code>{hash}</code>}</dd>
    </div>
  );
}

const payloadWords: Readonly<Record<LedgerEntryView["payloadState"], string>> = {
  none: "It has none: all of it stands in the bytes.",
  kept: "It is kept encrypted, and none of it is open to you.",
  erased: "It was erased. The entry and the ledger stay valid: the bytes hold its digests alone.",
  unreadable: "It does not decrypt with the tenant’s key.",
};

function Payload({ entry: { payload, payloadState } }: { readonly entry: LedgerEntryView }): ReactNode {
  return (
    <section aria-labelledby="payload-title">
      <h3 id="payload-title">Payload</h3>
      {payload === null ? (
        <p className="detail">{payloadWords[payloadState]}</p>
      ) : (
        <dl className={css["payload"]}>
          {Object.entries(payload).map(([name, body]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <pre className={css["bytes"]}>{JSON.stringify(body, null, 2)}</pre>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
