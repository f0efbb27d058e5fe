import { resolve } from "node:path";
import type { Project } from "../define/project.ts";
import { payloadKeys } from "../ledger/payload.ts";
import { pooledRandom } from "../ledger/random.ts";
import { capabilityOf, type Replay, replayKept, type WhatIf, whatIf } from "../replay.ts";
import { openDatabase } from "../store/database.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { loadEntry } from "./load.ts";
import { openPolicies } from "./open-policies.ts";
import { payloadKeyOf } from "./payload-key.ts";
import { print } from "./print.ts";
import { asksModel, type OtherwiseOptions, withOtherwise } from "./replay-otherwise.ts";

/**
 * Walks a kept decision again over its recorded context and replies, under the project's definitions of today; or says what would change
 * with another model, prompt, policy, or over what is known now. Exit code 0 where it comes out the same, 1 where it would not, 2 where
 * what was kept is not enough to tell.
 */
export async function replay(
  decisionId: string,
  { project: folder, directory: home, json, ...options }: OtherwiseOptions & { project: string; directory: string; json?: true },
): Promise<void> {
  const directory = resolve(home);
  const payloadKey = await payloadKeyOf(directory);
  const project = await loadEntry<Project>(folder, "project");
  const isOtherwise = asksModel(options) || options.policy !== undefined;
  const said = await withRoleUrl({ directory, role: "deciding" }, async (url) => {
    const database = openDatabase({ url, role: "deciding", connections: asksModel(options) ? 4 : 1 });
    const keys = payloadKeys(payloadKey, pooledRandom(), database);
    const parts = { project, policy: openPolicies(folder), database, keys, decisionId };
    try {
      if (!isOtherwise) return await replayKept(parts);
      const place = { parts, folder, directory, payloadKey };
      return await withOtherwise(options, { ...place, capability: await capabilityOf(parts) }, (otherwise) =>
        whatIf(parts, otherwise),
      );
    } finally {
      await database.close();
    }
  });
  print({ json, value: { decisionId, ...said }, lines: "changes" in said ? changeLines(said) : linesOf(said) });
  process.exitCode = exits[said.kind];
}

const exits = { same: 0, differs: 1, cannot: 2 } as const;

function changeLines({ first, changes, calls, costMicros }: Exclude<WhatIf, { kind: "cannot" }>): readonly string[] {
  const { facts, effects, claims } = changes;
  const asked =
    calls === 0 ? [] : [`asked a model ${calls} times for $${(costMicros / 1_000_000).toFixed(4)}; nothing else of it is kept`];
  const lines = [
    ...Object.entries(facts).map(([name, { was, now }]) => `  ${name}: ${JSON.stringify(was)}, would be ${JSON.stringify(now)}`),
    ...effects.map(
      ({ index, was, now, params }) =>
        `  effect ${index + 1}: ${was ?? "none"}, would be ${now ?? "none"}${params.length === 0 ? "" : `; other params: ${params.join(", ")}`}`,
    ),
    ...(claims.gone.length + claims.added.length === 0
      ? []
      : [`  claims: ${claims.was}, would be ${claims.now}; gone: ${listed(claims.gone)}; added: ${listed(claims.added)}`]),
  ];
  if (first === null && lines.length === 0) return ["nothing would change", ...asked];
  const where = first === null ? "it would come out the same" : `would differ at ${first.node}: ${first.parts.join(", ")}`;
  return [where, ...lines, ...asked];
}

function listed(sources: readonly string[]): string {
  return sources.length === 0 ? "none" : sources.join(", ");
}

function linesOf(said: Replay | Extract<WhatIf, { kind: "cannot" }>): readonly string[] {
  switch (said.kind) {
    case "same":
      return [said.proposalDigest === null ? "same end: it was stopped as it was then" : `same proposal: ${said.proposalDigest}`];
    case "differs":
      return [
        `differs at ${said.node}: ${said.parts.join(", ")}`,
        said.recordedDigest === said.replayedDigest
          ? "  the proposal is the same all the same"
          : `  proposal then ${said.recordedDigest ?? "none"}, now ${said.replayedDigest ?? "none"}`,
        ...(said.recordedVersion === said.replayedVersion
          ? []
          : [`  the capability is of version ${said.replayedVersion} now; it was ${said.recordedVersion}`]),
      ];
    case "cannot":
      return [`cannot be replayed: ${said.missing}`];
  }
}
