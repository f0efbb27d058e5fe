import type { ModelChoice } from "../../contract/capability.ts";

/** What one family of models takes and refuses. Data: it is compared before a call, so that nothing is sent that would be refused or bent. */
export interface Quirks {
  readonly family: RegExp;
  readonly efforts: readonly ModelChoice["effort"][];
  /** Whether an effort is sent; a family without such a setting takes `none` alone and is sent nothing. */
  readonly sendsEffort: boolean;
  /** When it takes a temperature; where it takes one, one has to be given. */
  readonly temperature: "always" | "without_effort" | "never";
  /** Whether its server holds a reply to a JSON schema. */
  readonly holdsSchema: boolean;
  /** Whether a request may force a tool. `without_effort`: not while the model reasons. */
  readonly forcesTool: "always" | "without_effort" | "never";
  /** The longest reply that it gives, in tokens, where the SDK would cut a longer wish down in silence. */
  readonly maxOutputTokens?: number;
}

/** How a project has set a provider up, as far as it matters for what a model takes. */
export interface Wish {
  readonly model: ModelChoice;
  readonly constrain: "schema" | "tool" | "grammar";
  readonly highestTemperature: number;
}

/**
 * Says why a model would not take the choice, with what to write instead; `null` where it would, or where the family is not known.
 */
export function quirkRefusal(wish: Wish, quirks: Quirks | null): string | null {
  const { model, highestTemperature } = wish;
  const { temperature, maxOutputTokens } = model;
  const named = `\`${model.id}\``;
  if (temperature !== null && !(temperature >= 0 && temperature <= highestTemperature))
    return `${named} takes a temperature from 0 to ${highestTemperature}`;
  if (maxOutputTokens !== undefined && !(Number.isInteger(maxOutputTokens) && maxOutputTokens > 0))
    return `${named} takes a whole number of output tokens from 1`;
  if (quirks === null) return null;
  if (!quirks.efforts.includes(model.effort))
    return `${named} does not take the effort \`${model.effort}\`; write one of ${quirks.efforts.map((one) => `\`${one}\``).join(", ")}`;
  return temperatureRefusal(model, quirks) ?? shapeRefusal(wish, quirks);
}

function temperatureRefusal({ id, effort, temperature }: ModelChoice, quirks: Quirks): string | null {
  const takes = quirks.temperature === "always" || (quirks.temperature === "without_effort" && effort === "none");
  if (takes && temperature === null)
    return `\`${id}\` takes a temperature; write one, such as 0, rather than leave it to the server`;
  if (takes || temperature === null) return null;
  return quirks.temperature === "never"
    ? `\`${id}\` takes no temperature; write \`temperature: null\``
    : `\`${id}\` takes a temperature only with the effort \`none\`; write \`temperature: null\`, or the effort \`none\``;
}

function shapeRefusal({ model: { id, effort, maxOutputTokens }, constrain }: Wish, quirks: Quirks): string | null {
  if (constrain === "schema" && !quirks.holdsSchema)
    return `\`${id}\` does not hold its reply to a JSON schema; register the provider with \`constrain: "tool"\``;
  if (constrain === "tool" && quirks.forcesTool === "never")
    return `\`${id}\` cannot be made to call a tool; register the provider with \`constrain: "schema"\``;
  if (constrain === "tool" && quirks.forcesTool === "without_effort" && effort !== "none")
    return `\`${id}\` cannot be made to call a tool while it reasons; write the effort \`none\`, or \`constrain: "schema"\``;
  if (quirks.maxOutputTokens !== undefined && (maxOutputTokens ?? 0) > quirks.maxOutputTokens)
    return `\`${id}\` gives at most ${quirks.maxOutputTokens} output tokens`;
  return null;
}

/** The first family that an id belongs to, or `null`. */
export function quirksOf(id: string, families: readonly Quirks[]): Quirks | null {
  const base = id.startsWith("ft:") ? id.slice(3) : id;
  return families.find(({ family }) => family.test(base)) ?? null;
}
