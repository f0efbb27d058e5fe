import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/api.tsx";

/** Names of effects and capabilities that newer operations and decisions hold. */
export interface KnownNames {
  readonly effect: readonly string[];
  readonly capability: readonly string[];
}

const newest = 200;

/** Reads the names that can be chosen from; what was never used is in none of them, so a name may be typed as well. */
export function useKnownNames(): KnownNames | undefined {
  const { client, session } = useApi();
  const { data } = useQuery({
    queryKey: ["held", "names"],
    queryFn: async (): Promise<KnownNames> => {
      const operations = session.may.operations ? (await client.operations({ limit: newest })).items : [];
      const decisions = (await client.decisions({ of: session.may.operations ? "all" : "mine", limit: newest })).items;
      const effects = decisions.flatMap((decision) => decision.effects.map(({ effect }) => effect));
      return {
        effect: sorted([...operations.map(({ effect }) => effect), ...effects]),
        capability: sorted([...operations, ...decisions].map(({ capability }) => capability)),
      };
    },
  });
  return data;
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
