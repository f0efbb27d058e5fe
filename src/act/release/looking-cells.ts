import type { DecisionStory } from "../../ledger/story.ts";
import { type Cell, type Demand, judged } from "./cell.ts";
import { isHandedOn, saysDone, tryOut } from "./trial.ts";
import { timedOut } from "./watch-hands.ts";

/** The hand says that it was done, and never asked the target: the separate read must not agree. */
export const verifierLooks: Cell = async (bench) => {
  const trial = await tryOut(bench, { interference: { send: async () => ({ targetId: "never-asked" }) } });
  const demands: readonly Demand[] = [
    [!saysDone(trial), "what never reached the target was seen as done: the observing hand does not look"],
    [isHandedOn(trial.end, bench), "no person was called, nor is it undone"],
  ];
  return judged([trial], demands, `not seen, so not done: ${trial.end}`);
};

/** The separate read fails: never "done" while it does, never sent again, a person at the deadline; and done once it works again. */
export const verifierFailure: Cell = async (bench) => {
  const blind = await tryOut(bench, { interference: { look: async () => Promise.reject(timedOut()) } });
  const back = await tryOut(bench, {
    interference: { look: async (nth, look) => (nth <= 2 ? Promise.reject(timedOut()) : look()) },
  });
  const demands: readonly Demand[] = [
    [!saysDone(blind), "it stands as done, and nobody could look"],
    [blind.reached === 1, "it was sent again, and nobody could look"],
    [isHandedOn(blind.end, bench), "no person was called at the deadline, nor is it undone"],
    [saysDone(back) && back.reached === 1 && back.count === 1, "it was not found to be done when looking worked again"],
  ];
  return judged([blind, back], demands, `unknown while nobody can look, then ${blind.end}; done when looking works again`);
};

/** Whoever is called finds all that it takes: what was asked, what was tried with which credential, what is expected, who is responsible. */
export const handOff: Cell = async (bench) => {
  const trial = await tryOut(bench, { interference: { look: async () => Promise.reject(timedOut()) } });
  const [story] = trial.stories;
  const [proposed] = trial.proposed;
  if (story === undefined || proposed === undefined) return { state: "failed", says: "nothing was proposed" };
  const told = await bench.told(proposed);
  const { owner } = bench.effect;
  const missing = missingIn(story, owner);
  const demands: readonly Demand[] = [
    [trial.end === "escalated", "no person was called"],
    [told.includes(`escalated ${owner}`), `the owner \`${owner}\` was not told`],
    [missing.length === 0, `what is handed over lacks ${missing.join(", ")}`],
  ];
  return judged(
    [trial],
    demands,
    `\`${owner}\` was told, with the request, each send, what was expected and what could not be seen`,
  );
};

function missingIn({ proposal, following }: DecisionStory, owner: string): readonly string[] {
  const effect = proposal?.effects[0];
  const last = (kind: string) => following.findLast((entry) => entry.kind === kind);
  const [applying, observed, escalated] = [last("applying"), last("observed"), last("escalated")];
  const parts: readonly (readonly [boolean, string])[] = [
    [(effect?.sentence.trim() ?? "") !== "", "a sentence of what was to be done"],
    [effect !== undefined && effect.before !== undefined && effect.expected !== undefined, "the states before and after"],
    [typeof applying?.body["credential"] === "string", "the name of the credential"],
    [typeof applying?.body["key"] === "string" && typeof applying.body["attempt"] === "number", "business key and attempt"],
    [observed?.bodies["expected"] !== undefined, "what was expected"],
    [observed?.bodies["observed"] !== undefined || typeof observed?.body["fault"] === "string", "what was seen, or why not"],
    [typeof escalated?.body["reason"] === "string", "the reason"],
    [escalated?.body["owner"] === owner, "the owner"],
  ];
  return parts.filter(([isThere]) => !isThere).map(([, part]) => part);
}
