import type { DataClass, Finding } from "../../../contract/privacy.ts";

// The strongest first: what opens a door, then what says who somebody is to the digit, then what only describes. Of the numbers on papers the
// longest is the strongest: a licence's digits may well pass for a card.
const strengths: readonly (readonly DataClass[])[] = [
  ["secret"],
  ["url_credential"],
  ["iban", "card", "national_id", "passport", "account", "vehicle"],
  ...(["email", "phone", "ip", "mac", "birth_date", "term", "person", "address", "organisation"] as const).map((name) => [name]),
];
const ranks: ReadonlyMap<DataClass, { readonly tier: number; readonly place: number }> = new Map(
  strengths.flatMap((tier, at) => tier.map((name, place) => [name, { tier: at, place }] as const)),
);

/**
 * Unites findings that overlap, whichever finder made them: all that any of them covers stays covered, under the strongest one's class.
 * The result is sorted and disjoint; findings that only touch stay apart.
 */
export function unite(findings: readonly Finding[]): readonly Finding[] {
  const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
  const united: Finding[] = [];
  let group: Finding[] = [];
  let end = 0;
  for (const finding of sorted) {
    if (group.length > 0 && finding.start >= end) {
      united.push(asOne(group, end));
      group = [];
    }
    group.push(finding);
    end = group.length === 1 ? finding.end : Math.max(end, finding.end);
  }
  return group.length === 0 ? united : [...united, asOne(group, end)];
}

/** The strongest of findings: by class, then the longest, then the first of them. There must be one. */
export function strongest(findings: readonly Finding[]): Finding {
  return findings.reduce((best, finding) => (isStronger(finding, best) ? finding : best));
}

function isStronger(one: Finding, other: Finding): boolean {
  const mine = ranks.get(one.class) ?? { tier: 0, place: 0 };
  const theirs = ranks.get(other.class) ?? { tier: 0, place: 0 };
  if (mine.tier !== theirs.tier) return mine.tier < theirs.tier;
  const longer = one.end - one.start - (other.end - other.start);
  return longer === 0 ? mine.place < theirs.place : longer > 0;
}

function asOne(group: readonly Finding[], end: number): Finding {
  const best = strongest(group);
  const start = group[0]?.start ?? best.start;
  if (best.start === start && best.end === end) return best;
  // No finder knows this value as a whole; all that is known of it tells it apart.
  return { ...best, start, end, canonical: [...new Set(group.map(({ canonical }) => canonical))].join(" ") };
}
