import { neverCancelled } from "../../contract/cancel.ts";
import { isCountersignError } from "../../contract/errors.ts";
import type { Provider, ProviderSource } from "../../contract/model.ts";
import type { CatalogueEntry } from "../../contract/model-catalogue.ts";
import { modelName } from "../../contract/model-name.ts";
import type { Project } from "../../define/project.ts";
import { inventory, type ListedModel, type ProviderView, type Stored } from "./inventory.ts";
import type { OwnModels } from "./models-file.ts";
import { type Catalogues, type Standing, standingOf } from "./standing.ts";

type Providers = readonly (Provider | ProviderSource)[];

/** How all models of a project stand today, and which providers' lists could not be read. */
export interface Look {
  readonly standings: readonly Standing[];
  readonly unread: readonly string[];
}

/** Looks at every model that is named; each provider's own list is read by `ask`, which is `null` where nobody is asked. */
export async function lookAtModels({
  project,
  providers,
  own,
  stored,
  ask,
  today,
}: {
  project: Pick<Project, "capabilities" | "intakeModel">;
  providers: Providers;
  own: OwnModels;
  stored: Stored;
  /** Gives the key of a provider, for reading its list. */
  ask: ((source: ProviderSource) => string | null) | null;
  /** As `YYYY-MM-DD`, in UTC. */
  today: string;
}): Promise<Look> {
  const listed = inventory({ project, own, stored, providerOf: providerView(providers) });
  const named = new Set(listed.map(({ provider }) => provider));
  const asked = ask === null ? [] : providers.filter((one): one is ProviderSource => isAsked(one, named));
  const read = await Promise.all(asked.map((one) => readCatalogue(one, ask)));
  const catalogues: Catalogues = new Map(asked.map(({ name }, place) => [name, read[place] ?? null]));
  return {
    standings: listed.map((model) => standingOf(model, { catalogues, today })),
    unread: asked.filter((_, place) => read[place] === null).map(({ name }) => name),
  };
}

function isAsked(one: Provider | ProviderSource, named: ReadonlySet<string>): boolean {
  return "catalogue" in one && one.catalogue !== undefined && named.has(one.name);
}

/** A list that cannot be read says nothing; that it could not is told. */
async function readCatalogue(
  { catalogue, ...source }: ProviderSource,
  ask: ((source: ProviderSource) => string | null) | null,
): Promise<readonly CatalogueEntry[] | null> {
  try {
    return (await catalogue?.read(ask?.(source) ?? null, neverCancelled)) ?? null;
  } catch (thrown) {
    if (isCountersignError(thrown)) return null;
    throw thrown;
  }
}

function providerView(providers: Providers): ProviderView {
  return (name) => {
    const one = providers.find((provider) => provider.name === name);
    const vendor = one !== undefined && "catalogue" in one ? (one.catalogue?.vendor ?? null) : null;
    return { vendor: vendorOf(vendor), isPinned: (id) => one?.isPinned?.(id) ?? null };
  };
}

/** Models at Azure are OpenAI's, with ends of their own. */
function vendorOf(vendor: "openai" | "anthropic" | "azure" | null): ListedModel["vendor"] {
  return vendor === "azure" ? null : vendor;
}

/** One model in a line for people. */
export function lineOf({ model, state, isDue, isUnlisted, ...ending }: Standing): string {
  const { kind, base, upgrade } = model;
  const what =
    kind === "snapshot"
      ? ""
      : kind === "fine_tuned"
        ? ` (fine-tuned, of ${base})`
        : ` (deployment of ${base ?? "?"}, upgrade ${upgrade})`;
  const findings = [...endWords(ending), ...(isUnlisted ? ["not in its provider's list"] : []), ...pinWords(model)];
  return `${isDue ? "due " : "    "} ${modelName(model)}${what}: ${state}, ${findings.join("; ")}`;
}

function endWords({
  shutdownOn,
  daysLeft,
  lastTrainingOn,
  replacement,
}: Pick<Standing, "shutdownOn" | "daysLeft" | "lastTrainingOn" | "replacement">): readonly string[] {
  const until = daysLeft !== null && daysLeft > 0 ? `until ${shutdownOn}, ${daysLeft} days` : `ended on ${shutdownOn}`;
  return [
    shutdownOn === null ? "no end is known" : until,
    ...(lastTrainingOn === null ? [] : [`trained anew until ${lastTrainingOn} at the latest`]),
    ...(replacement === null ? [] : [`its provider names ${replacement}`]),
  ];
}

function pinWords({ isPinned }: ListedModel): readonly string[] {
  if (isPinned === null) return ["whether its id is a fixed version is not known"];
  return isPinned ? [] : ["its id is no fixed version"];
}
