import type { Json } from "./json.ts";
import type { FieldLabel } from "./words.ts";

/** What a proposal rests on, for the person who is to sign it. What this reader may not see, or was erased, is not in it. */
export interface ReviewEvidence {
  /** In the order in which claims, then values of effects, name them first; then the others as they were loaded. */
  readonly items: readonly ReviewItem[];
  readonly checks: readonly CheckView[];
  /** What the confidence was composed from. */
  readonly signals: readonly { readonly name: string; readonly ppm: number; readonly weightPpm: number }[];
  /** What a bounded loop looked at; empty where there was none. */
  readonly steps: readonly LoopStepView[];
}

/** One check of the verification, as it was recorded. */
export interface CheckView {
  readonly name: string;
  readonly passed: boolean;
  /** Without it nothing is proposed. */
  readonly hard: boolean;
  readonly evidence: string;
}

/** What a piece of evidence says and where it stands. Instants are milliseconds since the epoch. */
export type ReviewItem = {
  /** Counted from 1: the number by which people name it. */
  readonly number: number;
  /** As claims and sources of values name it. */
  readonly id: string;
  /** The claims that rest on it, counted from 0. */
  readonly claims: readonly number[];
} & ItemView;

/** A piece of what was loaded, as a person may be shown it. */
export type ItemView =
  | {
      readonly kind: "passage";
      readonly document: string;
      readonly title: string;
      readonly version: string;
      readonly section: string;
      /** `null` where its document has no pages. */
      readonly page: number | null;
      /** The words of the passage. They are data: no link in them is one. */
      readonly quote: string;
      /** False where its document was a draft, replaced or not in force, and was asked for all the same. */
      readonly isCurrent: boolean;
      readonly isAuthority: boolean;
      /** When it was seen that the asker may read it; `null` where that was not kept. */
      readonly accessCheckedAt: number | null;
    }
  | {
      readonly kind: "record";
      readonly title: string;
      readonly query: string;
      /** Fields that are labelled secret are left out. */
      readonly fields: readonly { readonly name: string; readonly value: Json; readonly label: FieldLabel }[];
      /** When it left its system of record. */
      readonly readAt: number;
    }
  | {
      readonly kind: "fact";
      readonly title: string;
      readonly subject: string;
      readonly predicate: string;
      readonly object: string;
      readonly validFrom: number;
      /** `null` for until further notice. */
      readonly validTo: number | null;
      /** The zone in which the source writes its dates. */
      readonly zone: string;
      readonly at: number;
      readonly learntAt: number;
      readonly isInConflict: boolean;
      readonly hasLater: boolean;
    }
  | { readonly kind: "memory"; readonly remembered: string; readonly text: string; readonly at: number };

/** One step of a bounded loop. */
export interface LoopStepView {
  readonly step: number;
  /** `null` where no tool was named. */
  readonly tool: string | null;
  readonly arguments: Json;
  readonly outcome: "read" | "failed" | "off_list" | "unread" | "final" | "no_reply";
  readonly fault: string | null;
  readonly found: readonly ItemView[];
}
