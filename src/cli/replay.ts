import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import { payloadKeys } from "../ledger/payload.ts";
import { pooledRandom } from "../ledger/random.ts";
import { type Replay, replayKept } from "../replay.ts";
import { openDatabase } from "../store/database.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { loadEntry } from "./load.ts";
import { openPolicies } from "./open-policies.ts";
import { print } from "./print.ts";
import { readSettings } from "./settings.ts";

/**
 * Walks a kept decision again over its recorded context and replies, under the project's definitions of today: exit code 0 where it comes
 * out the same, 1 where a node differs, 2 where what was kept is not enough to tell.
 */
export async function replay(
  decisionId: string,
  { project: folder, directory: home, json }: { project: string; directory: string; json?: true },
): Promise<void> {
  const directory = resolve(home);
  const root = await payloadKeyOf(directory);
  const project = await loadEntry<Project>(folder, "project");
  const said = await withRoleUrl({ directory, role: "deciding" }, async (url) => {
    const database = openDatabase({ url, role: "deciding", connections: 1 });
    const keys = payloadKeys(root, pooledRandom(), database);
    try {
      return await replayKept({ project, policy: openPolicies(folder), database, keys, decisionId });
    } finally {
      await database.close();
    }
  });
  print({ json, value: { decisionId, ...said }, lines: linesOf(said) });
  process.exitCode = exits[said.kind];
}

const exits = { same: 0, differs: 1, cannot: 2 } as const;

async function payloadKeyOf(directory: string): Promise<Buffer> {
  const root = process.env["COUNTERSIGN_PAYLOAD_KEY"] ?? (await readSettings(directory))?.payloadKey;
  if (root !== undefined) return Buffer.from(root, "base64");
  const message =
    "there is no payload key to read it with; name the installation with --directory, or set COUNTERSIGN_PAYLOAD_KEY";
  throw new CountersignError("configuration_invalid", message);
}

function linesOf(said: Replay): readonly string[] {
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
