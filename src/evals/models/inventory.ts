import { type ModelName, modelName, parseModelName } from "../../contract/model-name.ts";
import { modelsOf } from "../../define/models-of.ts";
import type { Project } from "../../define/project.ts";
import type { KnownDate } from "./known-dates.ts";
import type { OwnModels } from "./models-file.ts";

/** One model that something of an installation names. */
export interface ListedModel {
  readonly provider: string;
  readonly id: string;
  /** Who makes it, where that is known of the provider. */
  readonly vendor: KnownDate["vendor"] | null;
  /** The model behind a fine-tuned one or a deployment; `null` where it is neither. */
  readonly base: string | null;
  readonly kind: "snapshot" | "fine_tuned" | "deployment";
  /** Whether its id says one fixed version: a date, or a provider's or an author's word for it; `null` where no provider that the project declares says so. */
  readonly isPinned: boolean | null;
  readonly upgrade: NonNullable<OwnModels[number]["upgrade"]> | null;
  /** What `models.yaml` says. */
  readonly shutdownOn: string | null;
  readonly lastTrainingOn: string | null;
  /** Where it is named: definitions, stored requests that wait, or decisions of late. */
  readonly usedBy: readonly string[];
  /** The owners of the definitions that name it. */
  readonly owners: readonly string[];
}

/** Where models are looked for besides a project's definitions. */
export interface Stored {
  /** Booked names (`provider/id`) of models that were asked of late. */
  readonly asked: readonly string[];
  /** Capabilities of which stored requests wait to be decided. */
  readonly wanted: readonly string[];
}

/** How a project's provider is known: its vendor, and whether it takes an id for a fixed one; `null` where it does not say. */
export type ProviderView = (provider: string) => {
  readonly vendor: ListedModel["vendor"];
  readonly isPinned: (id: string) => boolean | null;
};

/** Every model that is named, each once, with where it is named. Pure. */
export function inventory({
  project,
  own,
  stored,
  providerOf,
}: {
  project: Pick<Project, "capabilities" | "intakeModel">;
  own: OwnModels;
  stored: Stored;
  providerOf: ProviderView;
}): readonly ListedModel[] {
  const named = modelsOf(project);
  const uses: { readonly key: string; readonly by: string; readonly owner: string | null }[] = [
    ...named.map(({ of, capability, model }) => ({ key: modelName(model), by: of, owner: ownerOf(project, capability) })),
    ...named
      .filter(({ capability }) => capability !== null && stored.wanted.includes(capability))
      .map(({ of, model }) => ({ key: modelName(model), by: `stored requests of ${of}`, owner: null })),
    ...stored.asked.map((key) => ({ key, by: "decisions of the last 30 days", owner: null })),
    ...own.map((one) => ({ key: modelName(one), by: "models.yaml", owner: null })),
  ];
  return [...new Set(uses.map(({ key }) => key))].toSorted().flatMap((key) => {
    const model = parseModelName(key);
    if (model === null) return [];
    const of = uses.filter((one) => one.key === key);
    return [listed({ model, own, providerOf, usedBy: of.map(({ by }) => by), owners: of.flatMap(({ owner }) => owner ?? []) })];
  });
}

function listed({
  model: { provider, id },
  own,
  providerOf,
  usedBy,
  owners,
}: Pick<ListedModel, "usedBy" | "owners"> & { model: ModelName; own: OwnModels; providerOf: ProviderView }): ListedModel {
  const said = own.find((one) => one.provider === provider && one.id === id);
  const tuned = fineTunedBase(id);
  const base = said?.base ?? tuned;
  const { vendor, isPinned } = providerOf(provider);
  return {
    ...{ provider, id, vendor, base },
    kind: said?.upgrade !== undefined ? "deployment" : base === null ? "snapshot" : "fine_tuned",
    // A deployment that its provider moves on by itself stands for another model tomorrow.
    isPinned: said?.upgrade === "when_default_changes" ? false : isPinned(id),
    upgrade: said?.upgrade ?? null,
    shutdownOn: said?.shutdownOn ?? null,
    lastTrainingOn: said?.lastTrainingOn ?? null,
    usedBy: [...new Set(usedBy)],
    owners: [...new Set(owners)],
  };
}

/** The base of a fine-tuned model of OpenAI, `ft:BASE:organisation:suffix:id`; `null` of another id. */
function fineTunedBase(id: string): string | null {
  return /^ft:([^:]+):/.exec(id)?.[1] ?? null;
}

function ownerOf({ capabilities }: Pick<Project, "capabilities">, capability: string | null): string | null {
  return capabilities.find(({ name }) => name === capability)?.owner ?? null;
}
