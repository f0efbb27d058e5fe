import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { LedgerLine, LedgerState } from "../../../../src/contract/ledger-view.ts";
import { useApi } from "../../api/api.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { ErrorState } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../shell/told.tsx";
import { counted } from "../../words/plain.ts";
import { canHash } from "./bytes.ts";
import { checkSignature, type SignatureCheck } from "./check-note.ts";
import { checkShown, type ShownCheck } from "./check-shown.ts";
import { faultSentence } from "./entry-words.ts";
import css from "./ledger.module.css";
import { place } from "./place.ts";

/** What was found of the shown entries and of the newest checkpoint's signature; `null` where none was signed. */
interface Found {
  readonly shown: ShownCheck;
  readonly signature: SignatureCheck | null;
}

/** The check of what is shown, in this browser: how to begin it, whether it runs, and what it found. */
export interface Checking {
  readonly begin: () => void;
  readonly isBusy: boolean;
  readonly count: number;
  readonly found: Found | null;
  readonly error: Error | null;
}

/** Makes that check over some lines. */
export function useShownCheck(lines: readonly LedgerLine[], state: LedgerState | undefined): Checking {
  const { client, session } = useApi();
  const queries = useQueryClient();
  const [count, setCount] = useState(0);
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (): Promise<Found> => {
      setCount(0);
      const read = (id: string) =>
        queries.fetchQuery({ queryKey: ["held", "entry", id], queryFn: () => client.ledgerEntry(id), staleTime: 0 });
      const shown = await checkShown({ lines, tenant: session.tenant, state, read, onCount: setCount });
      const checkpoint = state?.checkpoint == null ? null : await client.checkpoint();
      return { shown, signature: checkpoint === null ? null : await checkSignature(checkpoint.text, checkpoint.noteKey) };
    },
    onSuccess: ({ shown: { faults, checked } }) =>
      tell(
        faults.length === 0
          ? `${counted(checked, "entry", "entries")} checked here, all of them hold.`
          : "Something does not hold.",
      ),
  });
  return { begin: () => mutate(), isBusy: isPending, count, found: data ?? null, error };
}

/** Says what was computed here, what it found, and what it did not look at. */
export function ShownCheckCard({ checking }: { readonly checking: Checking }): ReactNode {
  const { isBusy, count, found, error } = checking;
  if (!canHash()) return null;
  if (isBusy)
    return <p className={`card padded ${css["checked"]}`}>Computing here: {counted(count, "entry", "entries")} so far.</p>;
  if (error !== null) return <ErrorState error={error} what="The check" again={checking.begin} />;
  if (found === null) return null;
  const { shown } = found;
  const holds = shown.faults.length === 0 && found.signature !== "bad";
  return (
    <section className={`card padded ${css["checked"]}`} aria-labelledby="checked-title">
      <h2 id="checked-title">
        <MarkOf name={holds ? "tick" : "warning"} tone={holds ? "done" : "stop"} />{" "}
        {holds ? "What is shown holds, by this browser’s own reckoning." : "Something here does not hold."}{" "}
        <span className="meta">
          <Time at={shown.at} />
        </span>
      </h2>
      <ul>
        {checkedLines(found).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {shown.faults.map(({ seq, id, fault }) => (
          <li key={`${id} ${fault}`} className="tone-stop">
            {seq === null ? `The unsealed entry ${id}` : `Entry ${place(seq)}`}: {faultSentence(fault)}.
          </li>
        ))}
      </ul>
      <p className="meta">{uncheckedWords(shown)}</p>
    </section>
  );
}

function checkedLines({ shown, signature }: Found): readonly string[] {
  const { checked, sealed, from, to, joins, isHead } = shown;
  const range =
    from === null || to === null ? "" : from === to ? `, entry ${place(to)}` : `, between entry ${place(from)} and ${place(to)}`;
  const lines = [
    `SHA-256 over the bytes of ${counted(checked, "entry", "entries")}${range}, compared with the hash and the seal that the desk tells.`,
    `${counted(joins, "pair")} of neighbours among ${counted(sealed, "seal")}: the later seal names the earlier one.`,
  ];
  if (isHead !== null)
    lines.push(isHead ? "The last seal is the head that the desk names." : "The last seal is not the head that the desk names.");
  if (signature !== null) lines.push(signatures[signature]);
  return lines;
}

const signatures: Readonly<Record<SignatureCheck, string>> = {
  good: "The newest checkpoint’s signature is good, by the key that came with it.",
  bad: "The newest checkpoint’s signature is not good.",
  cannot: "The newest checkpoint’s signature was not checked: this browser has no Ed25519.",
};

function uncheckedWords({ left }: ShownCheck): string {
  const rest = left === 0 ? "" : `${counted(left, "shown entry", "shown entries")} beyond the first ones, `;
  return `Not checked: ${rest}entries that are not shown, payloads, and whether the key and all of this are what was published elsewhere. For that, verify an export offline.`;
}
