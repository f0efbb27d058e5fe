import type { DecidingParts } from "../define/deciding.ts";

/** The names of the secrets that a project's deciding half needs. Scripted providers need none; others declare theirs here. */
export function decidingSecrets({ records, hiddenValues }: DecidingParts): {
  readonly reads: readonly string[];
  readonly models: readonly string[];
} {
  const reads = [
    ...records.map(({ connector }) => connector.secret),
    ...(hiddenValues === null ? [] : [hiddenValues.connector.secret]),
  ];
  return { reads: [...new Set(reads)], models: [] };
}
