import type { LedgerState } from "../../../src/contract/ledger-view.ts";
import type { Mark, Tone } from "../parts/mark.tsx";
import { plainCount } from "./plain.ts";
import { timeWords } from "./times.ts";

/** How far the ledger was verified, in the words of the badge. */
export function badgeWords(
  state: LedgerState,
  now: number,
): { readonly mark: Mark; readonly tone: Tone; readonly words: string } {
  const place = new Intl.NumberFormat("en-GB").format;
  switch (state.state) {
    case "tampered":
      return {
        mark: "failed",
        tone: "stop",
        words: `Tamper found${state.break?.seq == null ? "" : ` at entry ${place(state.break.seq)}`}`,
      };
    case "verified":
      return { mark: "complete", tone: "done", words: `Ledger verified to ${place(state.verifiedTo)}` };
    case "checking":
      return {
        mark: "dash",
        tone: "quiet",
        words: `Verified to ${place(state.verifiedTo)}, checking ${plainCount(state.head - state.verifiedTo)}`,
      };
    case "unverified":
      return {
        mark: "warning",
        tone: "wait",
        words:
          state.verifiedAt === null
            ? "Ledger not verified yet"
            : `Could not be verified since ${timeWords(state.verifiedAt, now, false)} UTC`,
      };
  }
}
