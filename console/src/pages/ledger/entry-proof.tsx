import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { InclusionProof, LedgerEntryView } from "../../../../src/contract/ledger-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { errorWords } from "../../words/errors.ts";
import { canHash } from "./bytes.ts";
import { leadsToRoot } from "./check-inclusion.ts";
import { DownloadButton } from "./download-button.tsx";
import css from "./entry.module.css";
import { place } from "./place.ts";

/** A proof that the entry stands in the newest checkpoint: computed by the desk when it is asked for, checked here, to take away. */
export function EntryProof({ entry: { id, seq, bytes } }: { readonly entry: LedgerEntryView }): ReactNode {
  const { client } = useApi();
  const proving = useMutation({
    mutationFn: async () => {
      const proof = await client.proof(id);
      const isOfEntry = proof.entryId === id && proof.body === bytes && proof.index + 1 === seq;
      return { proof, isGood: canHash() ? isOfEntry && (await leadsToRoot(proof)) : null };
    },
  });
  const { data, error, isPending, mutate } = proving;
  return (
    <section aria-labelledby="proof-title">
      <h3 id="proof-title">Proof</h3>
      {data === undefined ? (
        <p>
          <Button isSmall disabled={isPending} onClick={() => mutate()}>
            Prove that it stands there
          </Button>{" "}
          <span className="meta">{error === null ? "The desk walks the chain for it." : whyNone(error)}</span>
        </p>
      ) : (
        <Proof {...data} />
      )}
    </section>
  );
}

function whyNone(error: Error): string {
  if ("code" in error && error.code === "not_found")
    return "No checkpoint covers it yet. One is signed within a minute of its seal.";
  const { title, detail } = errorWords(error, "The proof");
  return `${title} ${detail}`;
}

function Proof({ proof, isGood }: { readonly proof: InclusionProof; readonly isGood: boolean | null }): ReactNode {
  const text = JSON.stringify(proof);
  return (
    <>
      <p>
        <MarkOf
          name={isGood === false ? "warning" : isGood === null ? "dash" : "tick"}
          tone={isGood === false ? "stop" : "quiet"}
        />{" "}
        {isGood === null ? "Not checked here." : isGood ? "Checked here: " : "Checked here, and it does not hold: "}
        {isGood === null
          ? ""
          : `${proof.hashes.length} hashes lead from entry ${place(proof.index + 1)} to the root of the checkpoint.`}
      </p>
      <p className={css["ways"]}>
        <CopyButton text={text}>Copy the proof</CopyButton>{" "}
        <DownloadButton name={`${proof.entryId}.proof.json`} text={`${text}\n`}>
          Download it
        </DownloadButton>
      </p>
      <p className="meta">
        <code>countersign ledger verify --proof FILE</code>, or the stand-alone verifiers, check it offline.
      </p>
    </>
  );
}
