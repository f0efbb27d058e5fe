import { z } from "zod";
import type { ClaimDraft } from "../contract/answer.ts";

/** How claims are to be made, for a model; `systemText` is told it among the instructions. */
export const howToClaim = [
  "Answer in claims of one sentence. Each claim names the id of the one source that says it; copy ids exactly, and name further sources in alsoFrom.",
  "Copy numbers, dates, names and identifiers exactly as they stand in that source; write {{need.field}} for a field of a record.",
  "A claim with anything that its source does not hold is dropped. Make no claim where the sources do not say.",
].join("\n");

/** What an answer looks like, for a decision schema. */
export interface AnswerForm<P extends string> {
  /** Names of the parts of the question; a claim then says which one it answers, with its value in few words for code to compare. */
  readonly parts?: readonly [P, ...P[]];
  /** 6 where it is left out. */
  readonly mostClaims?: number;
  /** Longest text of a claim, in UTF-16 code units; 500 where it is left out. */
  readonly longestText?: number;
}

/** A claim of a model, as `propose` may hand it on. */
export interface AnsweredClaim<P extends string> extends ClaimDraft {
  readonly answers?: P;
}

/**
 * The part of a decision schema that holds an answer: claims, each with its sources. What `propose` hands on of them is held against the
 * sources by code, which drops and names what does not trace.
 * @example
 * answerSchema({ parts: ["price", "term"], mostClaims: 4 }).safeParse([]).success; // true
 */
export function answerSchema<P extends string = never>(form: AnswerForm<P> = {}): z.ZodType<AnsweredClaim<P>[]> {
  const { parts, mostClaims = 6, longestText = 500 } = form;
  const source = z.string().min(1).max(200);
  const claim = { text: z.string().min(1).max(longestText), source, alsoFrom: z.array(source).max(3).exactOptional() };
  const plain = z.strictObject(claim);
  if (parts === undefined) return z.array(plain).max(mostClaims);
  const answers = z.enum(parts).exactOptional();
  const named = z.strictObject({ ...claim, answers, value: z.string().min(1).max(100).exactOptional() });
  // The names of an enum's members are those of the list that it was made from.
  return z.array(named).max(mostClaims) as unknown as z.ZodType<AnsweredClaim<P>[]>;
}
