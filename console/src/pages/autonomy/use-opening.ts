import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AutonomyView, SliceView } from "../../../../src/contract/autonomy.ts";
import { useApi } from "../../api/api.tsx";
import { tell } from "../../shell/told.tsx";
import { sliceKey, thresholdWords } from "./slice-words.ts";

/** What a person signs of a slice: a threshold, with the proposal that was shown, or none where the slice is closed. */
export interface SliceSigning {
  readonly slice: SliceView;
  readonly thresholdPpm: number;
  readonly proposal?: { readonly digest: string; readonly until: number };
}

/** What was signed here, and whether it stands yet. */
export interface Opening {
  readonly sign: (signing: SliceSigning) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly clear: () => void;
  /** What was signed of a slice in this page; `null` where nothing was. */
  readonly signedOf: (slice: SliceView) => { readonly thresholdPpm: number; readonly approvalId: string } | null;
  /** Something that was signed does not stand yet: the acting half checks it first. */
  readonly isUnderWay: (view: AutonomyView | undefined) => boolean;
}

const waitMs = 60_000;

/** Signs the threshold of a slice; the slices are read again until it stands, for a minute at most. */
export function useOpening(): Opening {
  const { client } = useApi();
  const queries = useQueryClient();
  const [signed, setSigned] = useState<{ key: string; thresholdPpm: number; approvalId: string; at: number } | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ slice: { capability, slice }, thresholdPpm, proposal }: SliceSigning) =>
      client.openSlice({ capability, slice, thresholdPpm, ...(proposal === undefined ? {} : { proposal }) }),
    onSuccess: async ({ approvalId }, { slice, thresholdPpm }) => {
      setSigned({ key: sliceKey(slice), thresholdPpm, approvalId, at: Date.now() });
      tell(`Signed. T of ${slice.capability}, ${slice.slice} becomes ${thresholdWords(thresholdPpm)} once it is checked.`);
      await queries.invalidateQueries({ queryKey: ["autonomy"] });
    },
    // What was refused is often another by now: what is shown next is read anew.
    onError: () => queries.invalidateQueries({ queryKey: ["autonomy"] }),
  });
  return {
    sign: mutate,
    isPending,
    error,
    clear: reset,
    signedOf: (slice) => (signed?.key === sliceKey(slice) ? signed : null),
    isUnderWay: (view) => {
      if (signed === null || Date.now() - signed.at > waitMs) return false;
      const slice = view?.slices.find((one) => sliceKey(one) === signed.key);
      return slice !== undefined && slice.thresholdPpm !== signed.thresholdPpm;
    },
  };
}
