/** Finders of others: each in a process of its own over `benchmarks/peers/privacy`, with the same texts. */
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { startChild } from "../operations/child.ts";
import { installPeers } from "../peers/install.ts";
import type { LabelledCase } from "./read-set.ts";
import { type Scores, scoresOf } from "./scores.ts";
import { promptsOf } from "./speed.ts";

const folder = fileURLToPath(new URL("../peers/privacy/", import.meta.url));

const peers = [
  { name: "redact-pii 3.4.0", key: "redactPii" },
  { name: "@openredaction/openredaction 1.0.4", key: "openRedaction" },
  { name: "compromise 14.17.0", key: "compromise" },
  { name: "wink-nlp 2.4.0 with wink-eng-lite-web-model 1.8.1", key: "wink" },
] as const;

const foundForm = z.object({
  found: z.array(z.array(z.object({ start: z.number().int(), end: z.number().int(), class: z.string().nullable() }))),
});
const timedForm = z.object({ ms: z.array(z.number()) });

/** A peer's figures, or why there are none. */
export type PeerReport =
  | {
      readonly name: string;
      readonly msPerKb: number;
      readonly scores: Pick<Scores, "overRedaction" | "groups"> & {
        readonly person: number | null;
        readonly streetAddress: number | null;
      };
    }
  | { readonly name: string; readonly failed: string };

/** Runs each peer in its turn; a string says why none could be run. */
export async function runPeers(
  cases: readonly LabelledCase[],
  notice: (line: string) => void,
): Promise<readonly PeerReport[] | string> {
  if (!(await installPeers(folder, notice)))
    return "they could not be installed (`npm ci --prefix benchmarks/peers/privacy`), so nothing is compared";
  const reports: PeerReport[] = [];
  for (const { name, key } of peers) {
    notice(`${name} is measured`);
    try {
      reports.push({ name, ...(await runPeer(key, cases)) });
    } catch (thrown) {
      reports.push({ name, failed: thrown instanceof Error ? thrown.message : "unknown" });
    }
  }
  return reports;
}

async function runPeer(key: string, cases: readonly LabelledCase[]) {
  const texts = cases.map(({ text }) => text);
  const child = startChild({ file: "privacy.mjs", cwd: folder, env: { PEER: key, NODE_NO_WARNINGS: "1" } });
  try {
    const { found } = await child.ask("find", { texts }, foundForm);
    const { types, groups, overRedaction } = scoresOf(cases, found);
    const { ms } = await child.ask("time", { texts: promptsOf(texts, 2_048).slice(0, 30), seconds: 5 }, timedForm);
    const middle = ms.toSorted((one, other) => one - other)[ms.length >> 1] ?? 0;
    const [person, address] = [types["PERSON"], types["STREET_ADDRESS"]].map((type) => type?.maskedByAnyClass ?? null);
    return {
      msPerKb: Math.round((middle / 2) * 1000) / 1000,
      scores: { person: person ?? null, streetAddress: address ?? null, overRedaction, groups },
    };
  } finally {
    await child.stop();
  }
}
