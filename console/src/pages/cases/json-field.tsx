import { type ReactNode, useId } from "react";
import type { Json } from "../../../../src/contract/json.ts";

/** What was typed as JSON: its value, or what is wrong with it. */
export type TypedJson = { readonly value: Json } | { readonly problem: string };

/** Reads what was typed; nothing typed is an object without fields. */
export function readJson(text: string): TypedJson {
  if (text.trim() === "") return { value: {} };
  try {
    const value: Json = JSON.parse(text);
    return { value };
  } catch {
    return { problem: 'This is no JSON yet. Names and texts stand in double quotes, such as {"parcel": "PX-7"}.' };
  }
}

/** A field for JSON, with what is wrong with it below. */
export function JsonField({
  label,
  aside,
  text,
  onText,
}: {
  readonly label: string;
  readonly aside: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}): ReactNode {
  const id = useId();
  const read = readJson(text);
  const problem = "problem" in read ? read.problem : null;
  return (
    <div>
      <label htmlFor={id}>
        {label} <span className="meta">{aside}</span>
      </label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        maxLength={20_000}
        placeholder="{}"
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onText(event.target.value)}
      />
      <p className="meta" id={`${id}-problem`}>
        {problem ?? ""}
      </p>
    </div>
  );
}
