import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Halting } from "../../../../src/client/index.ts";
import { useApi } from "../../api/api.tsx";
import { tell } from "../../shell/told.tsx";
import { haltWords } from "../../words/halts.ts";

/** Stops something or lifts a stop; what is stopped then is shown everywhere at once. */
export function useHalting({ isStop, onDone }: { readonly isStop: boolean; readonly onDone: () => void }) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (halting: Halting) => (isStop ? client.halt(halting) : client.resume(halting)),
    onSuccess: async (halts, halting) => {
      queries.setQueryData(["halts"], halts);
      tell(`${haltWords(halting)} ${isStop ? "is stopped." : "goes on."}`);
      onDone();
      await queries.invalidateQueries({ queryKey: ["operations"] });
    },
  });
}
