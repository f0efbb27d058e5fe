import type { ReactNode } from "react";
import { isCountersignError } from "../../../../src/contract/errors.ts";
import { Banner } from "../../parts/banner.tsx";
import { type ErrorWords, errorWords } from "../../words/errors.ts";

/** Why something was not taken; what was typed stays where it is. */
export function Refused({ error, what }: { readonly error: Error; readonly what: string }): ReactNode {
  const { title, detail, small } = refusedWords(error, what);
  return (
    <Banner tone="stop" title={title}>
      {detail} What you typed is still here. <span className="meta">{`${small}: ${error.message}`}</span>
    </Banner>
  );
}

function refusedWords(error: Error, what: string): ErrorWords {
  const words = errorWords(error, what);
  if (!isCountersignError(error, "input_invalid")) return words;
  return { ...words, title: "It was not taken.", detail: "It does not have the form that the case needs. Nothing was changed." };
}
