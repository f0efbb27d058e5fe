import { type FormEvent, type ReactNode, type RefObject, useState } from "react";
import { entryKinds, writerRoles } from "../../../../src/contract/words.ts";
import { KeyCap } from "../../parts/button.tsx";
import type { Search } from "../../shell/search.ts";
import css from "./ledger.module.css";

/** Which entries are shown, as the address says it. */
export interface Asked {
  readonly kind: (typeof entryKinds)[number] | undefined;
  readonly writer: (typeof writerRoles)[number] | "owner" | undefined;
  readonly decision: string | undefined;
  /** Days in UTC, the first and the last of them. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Those that wait for their seal, in place of the chain. */
  readonly isUnsealed: boolean;
}

const writers = [...writerRoles, "owner"] as const;
const dayMs = 24 * 60 * 60 * 1000;

/** Reads them from the address; what is none of the known words is left out. */
export function askedOf(search: Search): Asked {
  return {
    kind: entryKinds.find((kind) => kind === search["kind"]),
    writer: writers.find((writer) => writer === search["writer"]),
    decision: search["decision"] || undefined,
    from: dayOf(search["from"]),
    to: dayOf(search["to"]),
    isUnsealed: search["seal"] === "waits",
  };
}

function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Says whether anything is left out by them. */
export function isNarrowed({ kind, writer, decision, from, to }: Asked): boolean {
  return [kind, writer, decision, from, to].some((one) => one !== undefined);
}

/** The same as the API asks for it: times in milliseconds. */
export function questionOf({ kind, writer, decision, from, to, isUnsealed }: Asked) {
  if (isUnsealed) return { sealed: false };
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(writer === undefined ? {} : { writer }),
    ...(decision === undefined ? {} : { decision }),
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { before: Date.parse(to) + dayMs }),
  };
}

/** The filters of the list. */
export function LedgerFilters({
  asked,
  field,
  onAsk,
}: {
  readonly asked: Asked;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onAsk: (changed: Search) => void;
}): ReactNode {
  return (
    <div className={css["filters"]}>
      <DecisionField key={asked.decision ?? ""} decision={asked.decision ?? ""} field={field} onAsk={onAsk} />
      <Choice name="Kind" words={entryKinds} value={asked.kind} onValue={(kind) => onAsk({ kind })} />
      <Choice name="Writer" words={writers} value={asked.writer} onValue={(writer) => onAsk({ writer })} />
      <Day name="Sealed from" value={asked.from} onValue={(from) => onAsk({ from })} />
      <Day name="to" value={asked.to} onValue={(to) => onAsk({ to })} />
    </div>
  );
}

function DecisionField({
  decision,
  field,
  onAsk,
}: {
  readonly decision: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onAsk: (changed: Search) => void;
}): ReactNode {
  const [typed, setTyped] = useState(decision);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (typed.trim() !== decision) onAsk({ decision: typed.trim() || undefined });
  };
  return (
    <form className={css["find"]} onSubmit={send}>
      <label>
        <span className="hidden">Decision, by its id</span>
        <input
          ref={field}
          type="search"
          className="field"
          placeholder="Decision, by its id"
          aria-keyshortcuts="/"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => send()}
        />
        <KeyCap>/</KeyCap>
      </label>
    </form>
  );
}

function Choice<W extends string>({
  name,
  words,
  value,
  onValue,
}: {
  readonly name: string;
  readonly words: readonly W[];
  readonly value: W | undefined;
  readonly onValue: (value: string | undefined) => void;
}): ReactNode {
  return (
    <label>
      <span className="hidden">{name}</span>
      <select className="field" value={value ?? ""} onChange={(event) => onValue(event.target.value || undefined)}>
        <option value="">{name}: all</option>
        {words.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

function Day({
  name,
  value,
  onValue,
}: {
  readonly name: string;
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
}): ReactNode {
  return (
    <label className={css["day"]}>
      <span>{name}</span>
      <input type="date" className="field" value={value ?? ""} onChange={(event) => onValue(event.target.value || undefined)} />
    </label>
  );
}
