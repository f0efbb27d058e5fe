import type { ContractBreak } from "../../../../src/contract/migration.ts";
import type { MigrationView, ModelView } from "../../../../src/contract/model-view.ts";
import { onePpm } from "../../../../src/contract/words.ts";
import type { Mark, Tone } from "../../parts/mark.tsx";
import { counted, plainName, plainPercent } from "../../words/plain.ts";

/** A mark with its word. */
export interface Standing {
  readonly mark: Mark;
  readonly tone: Tone;
  readonly words: string;
}

/** How a model stands with its provider. `unknown` is not `active`: nobody was asked, or nobody says a thing of it. */
export function standingOf({ state, isDue, checkedAt }: Pick<ModelView, "state" | "isDue" | "checkedAt">): Standing {
  if (state === "retired") return { mark: "warning", tone: "stop", words: "Ended" };
  if (isDue) return { mark: "warning", tone: "wait", words: "Ends soon: try another one" };
  if (state === "deprecated") return { mark: "dash", tone: "quiet", words: "Its end is announced" };
  if (state === "active") return { mark: "tick", tone: "done", words: "Active" };
  return { mark: "question", tone: "quiet", words: checkedAt === null ? "Never looked up" : "Nobody says" };
}

/** Whether its id is one fixed version. */
export function pinWords(isPinned: boolean | null): string {
  if (isPinned === null) return "not looked at";
  return isPinned ? "fixed version" : "may move";
}

/** When it ends, in days from the day of the look-up. */
export function daysWords(days: number | null): string {
  if (days === null) return "unknown";
  if (days < 0) return `ended ${counted(-days, "day")} ago`;
  return counted(days, "day");
}

const roles: Readonly<Record<ModelView["uses"][number]["role"], string>> = {
  decides: "decides",
  second: "is asked where the first gives no reply",
  judge: "judges",
  retrieval: "plans retrieval",
  intake: "reads requests",
  embedder: "makes vectors of passages",
};

/** What a definition asks it for. */
export function wordsOfUse({ of, role }: ModelView["uses"][number]): string {
  return of === null ? roles[role] : `${roles[role]} in ${plainName(of).toLowerCase()}`;
}

const stages: Readonly<Record<MigrationView["stage"], string>> = {
  planned: "Planned",
  shadow: "Shadow",
  canary_share: "Canary",
  rolled_back: "Rolled back",
  retired: "Old model retired",
};

/** A stage by its word. */
export function stageName(stage: MigrationView["stage"]): string {
  return stages[stage];
}

/** How far a migration is, and what its share means there. */
export function stageWords({ stage, sharePpm, rolledBackBy }: MigrationView): Standing {
  const share = plainPercent(sharePpm / onePpm);
  switch (stage) {
    case "planned":
      return { mark: "dash", tone: "quiet", words: "Planned; nothing runs on the new model yet" };
    case "shadow":
      return {
        mark: "applying",
        tone: "person",
        words: `The new model walks ${share} of decisions too; nothing of it is applied`,
      };
    case "canary_share":
      return { mark: "applying", tone: "person", words: `The new model decides ${share}` };
    case "rolled_back":
      return {
        mark: "back",
        tone: "wait",
        words: `Rolled back: ${rolledBackBy === null ? "the old model decides all" : causes[rolledBackBy]}`,
      };
    case "retired":
      return { mark: "tick", tone: "done", words: "The new model decides all" };
  }
}

const causes: Readonly<Record<NonNullable<MigrationView["rolledBackBy"]>, string>> = {
  contract: "a contract of a reply broke",
  failures: "the new model failed more often than the bound",
  disagreement: "the two disagreed more often than the bound",
  person: "by a person",
};

const breaks: Readonly<Record<ContractBreak, string>> = {
  schema: "A reply did not fit the schema",
  name: "Another tool or effect",
  missing: "A member is missing",
  added: "A member is there that the old one never gives",
  type: "A value of another type",
  form: "A text of another form",
};

/** What a contract broke by. */
export function breakWords(kind: ContractBreak): string {
  return breaks[kind];
}
