import { limits } from "../../contract/limits.ts";
import { type Cell, type Demand, judged, noSample } from "./cell.ts";
import { notSent } from "./permission-cells.ts";
import { isHandedOn, saysDone, tryOut } from "./trial.ts";

/** The target was changed by somebody else after people signed: refused, nothing is sent. */
export const staleState: Cell = async (bench) => {
  const { makeStale } = bench.samples;
  if (makeStale === undefined) return noSample("makeStale");
  const trial = await tryOut(bench, { whenSigned: ({ place, sample }) => makeStale(place, sample.params) });
  return judged([trial], notSent(trial), `nothing was sent: ${trial.end}`);
};

/** The approval's time is over before the acting half comes to it: nothing is sent. */
export const approvalExpired: Cell = async (bench) => {
  const trial = await tryOut(bench, { whenSigned: async () => bench.pass(limits.approvalMs + 1_000) });
  return judged([trial], notSent(trial), `nothing was sent: ${trial.end}`);
};

/** The target does not take the writing credential: nothing arrives, nothing is said to be done, and a person is called in the end. */
export const credentialExpired: Cell = async (bench) => {
  const trial = await tryOut(bench, { isCredentialSpoilt: true });
  const demands: readonly Demand[] = [
    [trial.count === 0, "the change was made without the credential"],
    [!saysDone(trial), "it stands as done"],
    [trial.end === "refused" || isHandedOn(trial.end, bench), "it neither went to a person nor was it refused"],
  ];
  return judged([trial], demands, `nothing arrived: ${trial.end}`);
};
