import type { ModelChoice } from "../contract/capability.ts";
import type { ModelView } from "../contract/model-view.ts";
import type { Project } from "./project.ts";

/** A model that a definition names, and what for. */
export interface NamedModel {
  /** Where it is named, in words for people. */
  readonly of: string;
  /** The capability whose definition names it; `null` for intake's, which is the project's. */
  readonly capability: string | null;
  readonly place: "decides" | "second" | "judge" | "retrieval";
  readonly model: ModelChoice;
}

/** Every model that a project's definitions name: for deciding, as the second, as a judge, for retrieval, for intake. */
export function modelsOf({ capabilities, intakeModel }: Pick<Project, "capabilities" | "intakeModel">): readonly NamedModel[] {
  const named = capabilities.flatMap(modelsIn);
  return intakeModel === null ? named : [...named, { of: "intake", capability: null, place: "decides", model: intakeModel }];
}

function modelsIn({ name, deciding, judge, retrieval }: Project["capabilities"][number]): readonly NamedModel[] {
  const models = {
    decides: deciding.kind === "rule" ? undefined : deciding.model,
    second: deciding.kind === "rule" ? undefined : deciding.second,
    retrieval: retrieval?.model,
    judge: judge?.model,
  };
  return places.flatMap((place) => {
    const model = models[place];
    return model === undefined ? [] : [{ of: `${words[place]}capability \`${name}\``, capability: name, place, model }];
  });
}

const places = ["decides", "second", "retrieval", "judge"] as const;
const words = { decides: "", second: "the second model of ", retrieval: "the retrieval of ", judge: "the judge of " } as const;

/** Every model that a project names, with its use as it is shown and the owner of the definition; intake has none. */
export function modelUses(project: Pick<Project, "capabilities" | "intakeModel">) {
  const owners = new Map(project.capabilities.map(({ name, owner }) => [name, owner]));
  return modelsOf(project).map(({ capability, place, model: { provider, id } }) => {
    const use: ModelView["uses"][number] = { of: capability, role: capability === null ? "intake" : place };
    return { provider, id, use, owner: owners.get(capability ?? "") ?? null };
  });
}
