import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DecisionView, EntryView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { asObject } from "../../words/changes.ts";
import css from "./item.module.css";

/** Who has signed of two, over the same state before; what the first one wrote opens after the second has decided. */
export function Signatures({ view }: { readonly view: DecisionView }): ReactNode {
  const { client, session, nameOf } = useApi();
  const isTwo = view.effects.some(({ signaturesNeeded }) => signaturesNeeded > 1);
  const { data: story = [] } = useQuery({
    queryKey: ["decisions", "story", view.id],
    queryFn: () => client.story(view.id),
    enabled: isTwo,
  });
  const signers = [...new Set(view.effects.flatMap(({ signedBy }) => signedBy))];
  if (!isTwo || signers.length === 0) return null;
  const waits = view.state === "waiting";
  const mayBeSecond = waits && !signers.includes(session.id);
  return (
    <>
      <div className={css["heading"]}>
        <h2>Signatures</h2>
        <span className="meta">{signers.length} of 2</span>
      </div>
      <ul className={`signals card ${css["signatures"]}`}>
        {signers.map((id) => (
          <Signed key={id} id={id} entry={signatureOf(story, id)} />
        ))}
        {mayBeSecond ? (
          <li>
            <MarkOf name="pen" tone="person" />
            <p>
              <strong>{session.name}</strong> you, waiting
              <br />
              Decide on your own reading. You sign the same state before, by its digest.
            </p>
          </li>
        ) : null}
        {waits ? (
          <li>
            <p>{nameOf(view.requestedBy)} asked, so they cannot sign. If it is rejected, nothing is applied.</p>
          </li>
        ) : null}
      </ul>
    </>
  );
}

function Signed({ id, entry }: { readonly id: string; readonly entry: Signature | null }): ReactNode {
  const { session, nameOf } = useApi();
  return (
    <li>
      <MarkOf name="signed" tone="person" />
      <p>
        <strong>{nameOf(id)}</strong> {id === session.id ? "you" : ""}{" "}
        {entry === null ? null : (
          <span className="meta">
            <Time at={entry.at} isExact={false} />
          </span>
        )}
        <br />
        Signed what you see below
        {entry === null ? "." : ": the state before is the same, digest "}
        {entry === null ? null : (
          <code title={entry.beforeDigest}>{`${entry.beforeDigest.slice(0, 4)}..${entry.beforeDigest.slice(-4)}`}</code>
        )}
      </p>
    </li>
  );
}

interface Signature {
  readonly at: number;
  readonly beforeDigest: string;
}

/** The newest signature of a person, as its entry tells it. */
function signatureOf(story: readonly EntryView[], id: string): Signature | null {
  const entry = story.findLast(({ kind, body }) => kind === "approved" && asObject(body)["approver"] === id);
  const digest = entry === undefined ? undefined : asObject(asObject(entry.body)["subject"] ?? null)["beforeDigest"];
  return entry === undefined || typeof digest !== "string" ? null : { at: entry.ts, beforeDigest: digest };
}
