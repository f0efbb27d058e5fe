import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { LedgerState } from "../../../../src/contract/ledger-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { faultSentence } from "./entry-words.ts";
import css from "./ledger.module.css";
import { place } from "./place.ts";

/** What a break of the ledger leaves proved and what not, and what to do now. */
export function TamperCard({
  state,
  found,
  onOpen,
}: {
  readonly state: LedgerState;
  readonly found: NonNullable<LedgerState["break"]>;
  readonly onOpen: (entryId: string) => void;
}): ReactNode {
  const { seq, entryId, fault, detail, foundAt } = found;
  const where = seq === null ? "the chain is not what was sealed" : `entry ${place(seq)} is not what was sealed`;
  return (
    <>
      <section className={`${css["card"]} ${css["card-stop"]}`} aria-labelledby="ledger-state" role="alert">
        <header>
          <h2 id="ledger-state">
            <MarkOf name="failed" tone="stop" /> Tamper found: {where}.
          </h2>
          <p className="meta">
            found <Time at={foundAt} /> by the worker’s check
          </p>
        </header>
        <dl className={css["tiles"]}>
          <div>
            <dt>What is still proved</dt>
            <dd>{provedWords(state, seq)}</dd>
          </div>
          <div>
            <dt>What is not</dt>
            <dd>
              {seq === null ? "The chain" : `Entry ${place(seq)}`}: {faultSentence(fault)}. <span className="meta">{detail}</span>{" "}
              {entryId === null ? null : (
                <button type="button" className="link" onClick={() => onOpen(entryId)}>
                  Open the entry
                </button>
              )}
            </dd>
          </div>
          <div>
            <dt>Who was told</dt>
            <dd>Those with the role owner. The tenant was stopped, and no checkpoint of this is signed.</dd>
          </div>
        </dl>
      </section>
      <ToDo />
    </>
  );
}

function provedWords({ checkpoint, verifiedTo }: LedgerState, seq: number | null): string {
  const upTo = seq === null ? verifiedTo : Math.min(verifiedTo, seq - 1);
  const before =
    upTo > 0 ? `The first ${place(upTo)} entries held when they were checked.` : "Nothing before it is proved by this check.";
  if (checkpoint === null) return `${before} No checkpoint was signed.`;
  return `${before} The checkpoint over ${place(checkpoint.size)} entries was signed before; whoever kept it can prove what stood there.`;
}

/** One command of the command line that keeps a copy. */
export const exportCommand = "countersign ledger export --out ledger.jsonl";

function ToDo(): ReactNode {
  const { session } = useApi();
  return (
    <section aria-labelledby="todo-title">
      <h2 id="todo-title" className={css["title"]}>
        What to do now
      </h2>
      <ol className={`card ${css["todo"]}`}>
        <li>
          <span>
            <strong>Keep a copy.</strong> Export the ledger and the database’s own log before anybody repairs anything.{" "}
            <code>{exportCommand}</code>
          </span>
          <CopyButton text={exportCommand}>Copy the command</CopyButton>
        </li>
        <li>
          <span>
            <strong>See that it is stopped.</strong> Nothing of the tenant is sent until an owner lifts the stop, once somebody
            has looked.
          </span>
          {session.may.halts ? (
            <Link to="/stop" className="button small">
              Emergency stop
            </Link>
          ) : null}
        </li>
        <li>
          <span>
            <strong>Find who wrote.</strong> No role of Countersign may update an entry. Ask who can act as the owner of the
            database.
          </span>
        </li>
      </ol>
    </section>
  );
}

/** The check in this browser, beside whatever the worker says. */
export function VerifyButton({ isBusy, onVerify }: { readonly isBusy: boolean; readonly onVerify: () => void }): ReactNode {
  return (
    <Button keyName="v" disabled={isBusy} onClick={onVerify}>
      Verify what is shown
    </Button>
  );
}
