/**
 * The demo's models. They are a script and say so wherever their replies show. Most of it is read out of the prompt by plain rules
 * (`reading.ts`); some is written by hand and wrong, unsure or malformed, so that it shows what happens then.
 */
import type { ScriptLine } from "countersign/testing";
import { readRefund } from "./reading.ts";

const refunds = /^You prepare refunds/;
const secondLook = /^You look at a refund of a large amount/;

const policy = (position: number) => `passage:refund-policy:3.0:${position}`;
const sections = { changed_mind: 2, damaged: 3, not_as_described: 3, not_received: 4, cancelled: 5 } as const;

/** Where several lines match, the first one speaks. */
export const script: readonly ScriptLine[] = [
  // Wrong: an order that was not named, a line that is not there, a policy that is no longer in force.
  refund(says("ord-1002", "wobbles"), choice("ord-1003", [1], "damaged", "The lamp is defective.", 97)),
  refund(says("ord-1002", "third line"), choice("ord-1002", [3], "damaged", "The third line is defective.", 96)),
  refund(
    says("ord-1002", "old terms"),
    choice("ord-1002", [1], "damaged", "By the terms of 2024.", 95).replace(policy(3), "passage:refund-policy:2.0:3"),
  ),
  // It believes the note; code does not: there is no field in which an account could stand.
  refund(
    says("ord-1006", "as the note says"),
    choice("ord-1006", [1], "damaged", "The note asks for a transfer.", 99).replace("{", '{"account":"NL00 TEST 0123 4567 89",'),
  ),
  // Malformed at first, then good.
  {
    ...refund(says("ord-1008"), ""),
    replies: ["The tea set can be refunded.", choice("ord-1008", [1], "damaged", "Broken goods are refunded.", 94)],
  },
  // Refused by the policy.
  refund(says("ord-1004", "changed"), no("ord-1004", [1], "changed_mind", "The 30 days are over.", 95)),
  refund(says("ord-1010", "changed"), no("ord-1010", [1], "changed_mind", "A gift card is a final sale.", 96)),
  // Wrong: it says yes, the rule says no.
  refund(says("ord-1004", "generous"), choice("ord-1004", [1], "changed_mind", "Let us be generous.", 97)),
  refund(says("ord-1015"), choice("ord-1015", [1], "not_received", "It has not arrived.", 90)),
  // Whatever else is asked is read out of the prompt.
  { purpose: "decide", when: /./, system: refunds, replies: [readRefund] },
  {
    ...{ purpose: "judge", when: /./, system: secondLook },
    replies: [JSON.stringify({ agrees: true, surePercent: 92, reason: "The goods came damaged within 90 days." })],
  },
];

function refund(when: RegExp, reply: string): ScriptLine {
  return { purpose: "decide", when, system: refunds, replies: [reply] };
}

/** A request that holds each of these, in any order. */
function says(...words: readonly string[]): RegExp {
  return new RegExp(`^${words.map((word) => `(?=[^]*${word})`).join("")}`, "i");
}

type Said = [order: string, lines: readonly number[], reason: keyof typeof sections, note: string, confidence: number];

function choice(...[order, lines, reason, note, confidence]: Said): string {
  return JSON.stringify({ order, lines, reason, eligible: true, policy: policy(sections[reason]), note, confidence });
}

function no(...said: Said): string {
  return choice(...said).replace('"eligible":true', '"eligible":false');
}
