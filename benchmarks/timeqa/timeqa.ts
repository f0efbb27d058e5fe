/**
 * Is what was true in a year found as of that year, and nothing else? Statements with windows go through the real writer into a real
 * database, and every year in and around their windows is asked for. What must be found is counted out over the set's own years, without
 * the store. The set is somebody else's and lies in a folder that is named; nothing of it is here.
 */
import { readTimeCases, type Statement, type TimeCases } from "./cases.ts";
import { type FactStore, withFacts } from "./house.ts";

/** What was measured, or why nothing was. */
export type TimeReport =
  | { readonly name: "timeqa"; readonly skipped: string }
  | {
      readonly name: "timeqa";
      readonly split: "open" | "held";
      readonly questions: number;
      readonly leftOut: number;
      readonly statements: number;
      readonly asOf: AsOfScore;
      readonly gaps: { readonly asked: number; readonly unknown: number };
      readonly unanswerable: UnanswerableScore;
      /** The same questions answered with the newest value that is known: a control that must fail. */
      readonly newestWins: { readonly accuracy: number; readonly stale: number };
      /** The same questions by somebody who may see none of it. */
      readonly seenByOthers: number;
      readonly passed: boolean;
    };

/** Years within windows: the found objects are exactly those of the set. */
interface AsOfScore {
  readonly asked: number;
  readonly exact: number;
  readonly accuracy: number;
  /** Objects that were found and whose window does not hold the year. */
  readonly stale: number;
  readonly missed: number;
}

interface UnanswerableScore {
  readonly asked: number;
  readonly refused: number;
  /** Where the set itself says of the whole stretch what was true: it contradicts itself. */
  readonly contradicted: readonly string[];
}

const accuracyBar = 0.99;

/** Runs the benchmark over the folder of all sets; says that it was skipped where the set is absent. */
export async function timeqa({ data, split }: { data: string | null; split: "open" | "held" }): Promise<TimeReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const cases = await readTimeCases(data, split);
  if (cases === null) return skipped(`the set \`timeqa\` has no split \`${split}\` in \`${data}\``);
  return withFacts(cases.statements, (store) => measure({ cases, split, store }));
}

interface Measuring {
  readonly cases: TimeCases;
  readonly split: "open" | "held";
  readonly store: FactStore;
}

async function measure({ cases, split, store }: Measuring): Promise<TimeReport> {
  const { questions, leftOut, statements } = cases;
  const seen = await askAll(cases, store);
  const within = seen.filter(({ must }) => must.size > 0);
  const gaps = seen.filter(({ must }) => must.size === 0);
  const asOf = scoreOf(within);
  const unknown = gaps.filter(({ found }) => found.size === 0).length;
  const unanswerable = await scoreUnanswerable(cases, store);
  const newest = scoreOf(within.map((one) => ({ ...one, found: new Set([one.newest]) })));
  const seenByOthers = await countSeenByOthers(cases, store);
  const passed =
    within.length > 0 && asOf.accuracy >= accuracyBar && asOf.stale === 0 && unknown === gaps.length && seenByOthers === 0;
  return {
    ...{ name: "timeqa", split, questions, leftOut, statements: statements.length, asOf },
    gaps: { asked: gaps.length, unknown },
    unanswerable,
    newestWins: { accuracy: newest.accuracy, stale: newest.stale },
    seenByOthers,
    passed: passed && unanswerable.refused + unanswerable.contradicted.length === unanswerable.asked && newest.stale > 0,
  };
}

/** One question: what must be found as of a year, what was, and which value is the newest of all. */
interface Seen {
  readonly must: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
  readonly newest: string;
}

/** Asks for each subject and predicate as of every year from two before its first window to two after its last. */
async function askAll({ statements }: TimeCases, store: FactStore): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const group of grouped(statements)) {
    const [{ subject, predicate }] = group;
    const newest = group.reduce((one, other) => (other.first > one.first ? other : one)).object;
    const years = [Math.min(...group.map(({ first }) => first)) - 2, Math.max(...group.map(({ last }) => last)) + 2] as const;
    for (let year = years[0]; year <= years[1]; year += 1) {
      const found = await store.ask({ subject, predicate, at: middleOf(year) });
      const must = group.filter(({ first, last }) => first <= year && year <= last);
      seen.push({ must: objectsOf(must), found: objectsOf(found), newest });
    }
  }
  return seen;
}

function objectsOf(of: readonly { readonly object: string }[]): ReadonlySet<string> {
  return new Set(of.map(({ object }) => object));
}

type Group = readonly [Statement, ...Statement[]];

function grouped(statements: readonly Statement[]): readonly Group[] {
  const groups = new Map<string, [Statement, ...Statement[]]>();
  for (const one of statements) {
    const key = `${one.subject} ${one.predicate}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups.values()];
}

function scoreOf(seen: readonly Seen[]): AsOfScore {
  let [exact, stale, missed] = [0, 0, 0];
  for (const { must, found } of seen) {
    const wrong = [...found].filter((object) => !must.has(object)).length;
    const absent = [...must].filter((object) => !found.has(object)).length;
    stale += wrong;
    missed += absent;
    if (wrong === 0 && absent === 0) exact += 1;
  }
  return { asked: seen.length, exact, accuracy: seen.length === 0 ? 0 : rounded(exact / seen.length), stale, missed };
}

/** A stretch is answered by a fact that holds from its first year to its last; one that only touches it says nothing of it. */
async function scoreUnanswerable({ unanswerable, statements }: TimeCases, store: FactStore): Promise<UnanswerableScore> {
  const contradicted: string[] = [];
  let refused = 0;
  for (const { id, subject, predicate, first, last } of unanswerable) {
    const begins = await store.ask({ subject, predicate, at: middleOf(first) });
    const ends = new Set((await store.ask({ subject, predicate, at: middleOf(last) })).map((fact) => fact.id));
    const said = statements.some(
      (one) => one.subject === subject && one.predicate === predicate && one.first <= first && one.last >= last,
    );
    if (!begins.some((fact) => ends.has(fact.id))) refused += 1;
    else if (said) contradicted.push(id);
  }
  return { asked: unanswerable.length, refused, contradicted };
}

async function countSeenByOthers({ statements }: TimeCases, store: FactStore): Promise<number> {
  let count = 0;
  for (const { subject, predicate, first } of statements)
    count += (await store.ask({ subject, predicate, at: middleOf(first), scopes: ["person:nobody"] })).length;
  return count;
}

function middleOf(year: number): number {
  return new Date(Date.UTC(2000, 6, 1)).setUTCFullYear(year);
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function skipped(why: string): TimeReport {
  return { name: "timeqa", skipped: why };
}
