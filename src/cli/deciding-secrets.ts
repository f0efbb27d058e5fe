import type { DecidingParts } from "../define/deciding.ts";

/** The names of the secrets that a project's deciding half needs. Scripted providers need none; others name the key that they are opened with. */
export function decidingSecrets({ providers, records, hiddenValues }: DecidingParts): {
  readonly reads: readonly string[];
  readonly models: readonly string[];
} {
  const reads = [
    ...records.flatMap(({ connector }) => (connector.secret === null ? [] : [connector.secret])),
    ...(hiddenValues === null ? [] : [hiddenValues.connector.secret]),
  ];
  const models = providers.flatMap((one) => ("secret" in one && one.secret !== null ? [one.secret] : []));
  return { reads: [...new Set(reads)], models: [...new Set(models)] };
}

/** The names of the providers that are no scripts. */
export function realProviders({ providers }: DecidingParts): readonly string[] {
  return providers.filter(({ isScripted }) => !isScripted).map(({ name }) => name);
}

/** A provider that is sent text as it is, and where to. */
export interface WithoutBoundary {
  readonly name: string;
  /** `null` for a provider that names no host. */
  readonly host: string | null;
}

/** The providers that are sent text as it is; scripts send nothing anywhere. */
export function withoutBoundary({ providers }: DecidingParts): readonly WithoutBoundary[] {
  return providers
    .filter(({ isScripted, boundary }) => !isScripted && boundary === "off")
    .map(({ name, host = null }) => ({ name, host }));
}

/** One sentence about the providers that are sent text as it is. */
export function boundaryIsOff(providers: readonly WithoutBoundary[]): string {
  const listed = providers.map(({ name }) => `\`${name}\``).join(", ");
  return `the privacy boundary is off: ${listed} ${providers.length === 1 ? "is" : "are"} sent what stands in prompts as it is`;
}
