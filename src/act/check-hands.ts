import { CountersignError } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import type { Hand, Hands } from "./hands.ts";
import { isHouseSecret } from "./keeping.ts";

/** The record query over what the house itself knows; both halves have it without a connector. */
const houseQuery = "knowledge.facts";

/**
 * Refuses, with `definition_invalid`, hands that cannot act safely for this project: an effect without hands, one connector or one
 * credential for writing and observing, a state before that no observing record source can read, two channels of one name, a channel
 * that shares its secret with a connector.
 */
export function checkHands({ project, hands }: { project: Pick<Project, "effects">; hands: Hands }): void {
  for (const hand of hands.hands) checkHand(hand);
  checkDoubles(hands);
  checkSides(hands);
  checkChannels(hands);
  checkRefreshes(hands);
  const queries = new Set([houseQuery, ...hands.records.flatMap((source) => source.queries.map((query) => query.name))]);
  for (const effect of project.effects) {
    const named = `effect \`${effect.name}\``;
    const hand = hands.hands.find((one) => one.effect.name === effect.name);
    if (hand === undefined) throw invalid(`${named} has no hands; add \`implementEffect\` for it to hands.ts`);
    if (hand.effect !== effect) throw invalid(`the hands of ${named} were written for another definition of it`);
    if (!queries.has(effect.before.query)) {
      throw invalid(`${named} reads \`${effect.before.query}\` before it acts, and no observing record source has that query`);
    }
  }
}

/** The names of the secrets that these hands need, by what each is for; the vault of the acting process opens no others. */
export function secretsOf(hands: Hands): { readonly writes: readonly string[]; readonly observes: readonly string[] } {
  const observers = [...hands.hands.map(observerOf), ...hands.records.map((source) => source.connector)];
  return {
    writes: [
      ...new Set([
        ...hands.hands.map((hand) => hand.apply.connector.secret),
        ...[...channelsOf(hands), ...refreshesOf(hands)].map(({ secret }) => secret),
      ]),
    ].filter((secret) => !isHouseSecret(secret)),
    observes: [...new Set(observers.flatMap(({ secret }) => (secret === null || isHouseSecret(secret) ? [] : [secret])))],
  };
}

function checkHand({ apply, observe, raiseFence, effect }: Hand): void {
  // The types say so already; a project in plain JavaScript has none.
  if (!apply || !observe) throw invalid(`effect \`${effect.name}\` needs both hands: \`apply\` and \`observe\``);
  if (effect.dedupe === "fence" && !raiseFence)
    throw invalid(`effect \`${effect.name}\` says that its target keeps fences; its hands need \`raiseFence\`, which tells one`);
  if (raiseFence && (raiseFence.connector.name !== apply.connector.name || raiseFence.connector.side !== "writes"))
    throw invalid(`effect \`${effect.name}\` tells its fence through another connector than it writes by`);
}

function checkDoubles(hands: Hands): void {
  const names = hands.hands.map((hand) => hand.effect.name);
  const doubled = names.find((name, place) => names.indexOf(name) !== place);
  if (doubled !== undefined) throw invalid(`effect \`${doubled}\` has hands twice`);
}

/** What writes and what observes share neither connector nor credential: else the read proves nothing of its own. */
function checkSides(hands: Hands): void {
  const writers = hands.hands.map((hand) => hand.apply.connector);
  const observers = [...hands.hands.map(observerOf), ...hands.records.map((source) => source.connector)];
  const crossed = [...writers.filter((one) => one.side !== "writes"), ...observers.filter((one) => one.side !== "observes")];
  if (crossed[0] !== undefined) throw invalid(`connector \`${crossed[0].name}\` is used against its side \`${crossed[0].side}\``);
  for (const writer of writers) {
    for (const observer of observers) {
      if (writer.name === observer.name) throw invalid(`connector \`${writer.name}\` both writes and observes; make two`);
      if (writer.secret === observer.secret)
        throw invalid(`secret \`${writer.secret}\` both writes and observes; make two credentials`);
    }
  }
}

/** What tells people holds a secret of its own: a receiver of notices must not learn what opens a system of record. */
function checkChannels(hands: Hands): void {
  const names = channelsOf(hands).map(({ name }) => name);
  const odd = names.find((name) => !/^[a-z][a-z0-9_-]{0,39}$/.test(name));
  if (odd !== undefined) throw invalid("a channel's name is lower-case letters, digits, `-` and `_`, a letter first");
  const doubled = names.find((name, place) => names.indexOf(name) !== place);
  if (doubled !== undefined) throw invalid(`two channels are called \`${doubled}\`; give one a \`name\` of its own`);
  const connectors = [
    ...hands.hands.flatMap((hand) => [hand.apply.connector, observerOf(hand)]),
    ...hands.records.map((source) => source.connector),
  ];
  const shared = channelsOf(hands).find(({ secret }) => connectors.some((connector) => connector.secret === secret));
  if (shared !== undefined)
    throw invalid(`channel \`${shared.name}\` shares the secret \`${shared.secret}\` with a connector; make two`);
}

/** What refreshes a view writes there, so it shares nothing with what looks. */
function checkRefreshes(hands: Hands): void {
  const observers = [...hands.hands.map(observerOf), ...hands.records.map((source) => source.connector)];
  const crossed = refreshesOf(hands).find(({ secret }) => observers.some((observer) => observer.secret === secret));
  if (crossed !== undefined)
    throw invalid(`\`${crossed.name}\` refreshes views with the secret \`${crossed.secret}\`, which observes; make two`);
}

function refreshesOf({ refreshes = [] }: Pick<Hands, "refreshes">): NonNullable<Hands["refreshes"]> {
  return refreshes;
}

function channelsOf({ notify = [] }: Pick<Hands, "notify">): NonNullable<Hands["notify"]> {
  return notify;
}

function observerOf(hand: Hand): Hand["observe"]["connector"] {
  return hand.observe.connector;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
