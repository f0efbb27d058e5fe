import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { CheckpointView } from "../../../../src/contract/ledger-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import { DownloadButton } from "./download-button.tsx";
import entry from "./entry.module.css";
import css from "./ledger.module.css";
import { place } from "./place.ts";
import { exportCommand } from "./tamper-card.tsx";

const verifyCommands = [
  "node verifiers/verify.mjs ledger.jsonl --key ledger.key --checkpoint kept.checkpoint",
  "python3 verifiers/verify.py ledger.jsonl --key ledger.key --checkpoint kept.checkpoint",
];

/** How to verify without this page and without our code: the newest checkpoint, its key, and the commands. */
export function Offline({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["ledger", "checkpoint"],
    queryFn: () => client.checkpoint(),
    retry: false,
  });
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className={`card ${css["offline"]}`} aria-labelledby="offline-title">
      <header>
        <h2 id="offline-title" ref={title} tabIndex={-1}>
          Verify an export offline
        </h2>
        <Button isSmall onClick={onClose}>
          Close
        </Button>
      </header>
      <p className="detail">
        An export, the ledger’s key and a checkpoint that was published before are enough. Take key and checkpoints from whoever
        answers for the ledger, by another way than from here: what came with the export proves nothing.
      </p>
      <ol className={css["commands"]}>
        {[exportCommand, ...verifyCommands].map((command) => (
          <li key={command}>
            <code>{command}</code> <CopyButton text={command}>Copy</CopyButton>
          </li>
        ))}
      </ol>
      {data === undefined ? (
        error === null ? (
          <LoadingRows what="the checkpoint" rows={1} />
        ) : (
          <ErrorState error={error} what="The checkpoint" again={() => void refetch()} />
        )
      ) : (
        <Checkpoint checkpoint={data} />
      )}
    </section>
  );
}

function Checkpoint({ checkpoint: { text, noteKey, size, at } }: { readonly checkpoint: CheckpointView }): ReactNode {
  return (
    <>
      <h3>
        The newest checkpoint: {place(size)} entries, signed <Time at={at} />
      </h3>
      <pre className={entry["bytes"]}>{text}</pre>
      <p className={entry["ways"]}>
        <CopyButton text={text}>Copy the checkpoint</CopyButton>{" "}
        <DownloadButton name={`${size}.checkpoint`} text={text}>
          Download it
        </DownloadButton>
      </p>
      <h3>The key that checks it</h3>
      <pre className={entry["bytes"]}>{noteKey}</pre>
      <p className={entry["ways"]}>
        <CopyButton text={noteKey}>Copy the key</CopyButton>
      </p>
    </>
  );
}
