import type { Recogniser } from "../../src/contract/privacy.ts";
import type { LabelledCase } from "./read-set.ts";
import { structuredTypes } from "./scores.ts";
import { openFreshBoundary, patient } from "./speed.ts";

/** What came back of the set's texts after they had been encoded and decoded. */
export interface RoundTrip {
  readonly texts: number;
  readonly exact: number;
  /** Values with a form (without web addresses and postcodes) that still stand in what would be sent, of how many. */
  readonly structuredValues: number;
  readonly structuredValuesSent: number;
}

/** Sends each text through a boundary of its own and back. */
export async function roundTrip(cases: readonly LabelledCase[], recogniser: Recogniser): Promise<RoundTrip> {
  let exact = 0;
  let sent = 0;
  let values = 0;
  for (const { text, spans } of cases) {
    const boundary = openFreshBoundary(recogniser);
    const { payload } = await boundary.encode({ text }, patient);
    const decoded = boundary.decodeText(payload.text);
    if (decoded.kind === "whole" && decoded.value === text) exact += 1;
    for (const { type, start, end } of spans) {
      if (!structuredTypes.slice(0, 6).includes(type)) continue;
      values += 1;
      if (payload.text.includes(text.slice(start, end))) sent += 1;
    }
  }
  return { texts: cases.length, exact, structuredValues: values, structuredValuesSent: sent };
}
