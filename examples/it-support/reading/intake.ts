/** The scripted model's way with intake: it picks among the capabilities that the prompt lists, by what each is said to be for. */
import { categoriesIn } from "./devices.ts";
import { type Asked, requestOf } from "./sources.ts";
import { holdsWord } from "./words.ts";

const startsQuestion = /^\W*(how|when|which|what|who|can i|may i|do i|is it|within|until|wie lang|combien)\b/i;
const topic = /\b(vpn|passwords?|polic(y|ies)|rules?|warranty|roaming)\b/i;
const saysState = /\b(status|state|how far|news|update|done|ready|wie weit|what'?s with)\b/i;
const saysSlow = /\b(slo+w|langsam|lent|crawls?)\b/i;

/** A pick from what stands in the prompt. */
export function readPick(asked: Asked): string {
  const listed = [...asked.system.matchAll(/^- (\w+):/gm)].map(([, name]) => name ?? "");
  const wishes = wishesIn(requestOf(asked).replace(/\{[^}]*\}/g, " ")).filter((name) => listed.includes(name));
  return JSON.stringify({ capability: wishes[0] ?? "none", several: wishes.length > 1 });
}

/** One sentence after the other, each wish once. What makes a laptop slow is asked about whatever else is said of it. */
function wishesIn(text: string): readonly string[] {
  const wishes = new Set(text.split(/(?<=[.!?])\s+|\s\+\s/).flatMap(wishesOf));
  return wishes.has("slow_laptop") ? ["slow_laptop"] : [...wishes];
}

function wishesOf(text: string): readonly string[] {
  const asksQuestion = startsQuestion.test(text);
  const isTicket = /\btkt-\d+|\btickets?\b/i.test(text) && (saysState.test(text) || !wantsNew(text));
  const isWorn = wantsNew(text) && !asksQuestion;
  if (saysSlow.test(text) && !topic.test(text) && !(isWorn && /\bworn/i.test(text))) return ["slow_laptop"];
  return [
    ...(isWorn ? ["replace_device"] : []),
    ...(isTicket ? ["ticket_state"] : []),
    ...(topic.test(text) || (asksQuestion && !isTicket) ? ["answer_question"] : []),
  ];
}

function wantsNew(text: string): boolean {
  const hasDevice = categoriesIn(text).length > 0 || /\b[A-Z]{2}-\d{4}\b/.test(text);
  return hasDevice && holdsWord(text, ...newWords);
}

const newWords = [
  ...[
    "new",
    "replace",
    "another",
    "changed",
    "broken",
    "dead",
    "defective",
    "stopped",
    "worn",
    "lost",
    "torn",
    "cracked",
    "crackles",
  ],
  ...["kaputt", "neue", "neues"],
];
