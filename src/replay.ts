/**
 * Builds the replay of kept decisions: book, graph, recorded replies. It walks a decision again under the definitions of today and
 * compares. It reaches no model, no system of record and no secret but the payload key, and it writes nothing.
 */
import type { Capability } from "./contract/capability.ts";
import { CountersignError } from "./contract/errors.ts";
import { intakeFor } from "./decide/intake.ts";
import type { Kept } from "./decide/replay/kept.ts";
import { type Replay, type ReplayDeps, replayDecision } from "./decide/replay/replay.ts";
import type { Project } from "./define/project.ts";
import { replayGateway } from "./gateway/replay.ts";
import type { Policy } from "./guard/policy/policy.ts";
import { editorOf } from "./ledger/asker.ts";
import { decisionDraft } from "./ledger/decision-entry.ts";
import type { PayloadKeys } from "./ledger/payload.ts";
import { type DecisionStory, readDecision } from "./ledger/read.ts";
import { systemDeadline } from "./store/clock.ts";
import type { Database } from "./store/database.ts";
import { sha256Digest } from "./store/digest.ts";
import { isId } from "./store/ids.ts";

export type { Replay } from "./decide/replay/replay.ts";

/** Replays one decision of any tenant, under the role `deciding`. Throws `not_found` where none of that id has ended. */
export async function replayKept({
  project,
  policy,
  database,
  keys,
  decisionId,
}: {
  project: Project;
  policy: Policy;
  database: Database;
  keys: PayloadKeys;
  decisionId: string;
}): Promise<Replay> {
  const story = isId(decisionId) ? await findStory({ database, keys, decisionId }) : null;
  if (story === null) throw new CountersignError("not_found", "no decision of that id has ended here");
  const { outcome, tenant } = story;
  if (outcome.isUnreadable) return { kind: "cannot", missing: "its payload cannot be read with this key" };
  if (outcome.isErased) return { kind: "cannot", missing: "its payload was erased" };
  if (editorOf(story) !== null) return { kind: "cannot", missing: "a person decided it, and a replay has nobody who does" };
  const { id: entryId, kind, ts: at, cause, body: facts, bodies } = outcome;
  return replayDecision({ tenant, decisionId, entryId, kind, at, cause, facts, bodies }, depsOver(project, policy));
}

async function findStory({
  database,
  keys,
  decisionId,
}: {
  database: Database;
  keys: PayloadKeys;
  decisionId: string;
}): Promise<DecisionStory | null> {
  for (const tenant of await database.tenants()) {
    const story = await database.inSnapshot(tenant, (tx) => readDecision({ tx, tenant, decisionId, keys, unreadable: "mark" }));
    if (story !== null) return story;
  }
  return null;
}

function depsOver(project: Project, policy: Policy): ReplayDeps {
  return {
    capabilityFor: (kept) => capabilityFor({ project, policy }, kept),
    modelOver: replayGateway,
    booked: (record) => {
      // The hash of the inputs is keyed and is not compared.
      const { kind, facts, bodies } = decisionDraft(record, "");
      return { kind, facts, bodies };
    },
    digest: sha256Digest,
    deadline: systemDeadline,
    permit: policy,
  };
}

/** Intake is made for each request: over what its asker may use. */
function capabilityFor({ project, policy }: { project: Project; policy: Policy }, { request }: Kept): Capability | undefined {
  if (request.capability !== "intake") return project.capabilities.find(({ name }) => name === request.capability);
  const permitted = project.capabilities.filter((one) => policy.mayUse(request.principal, one).kind === "permitted");
  const { text } = request.inputs as { text: string }; // what intake kept went through its own schema
  return intakeFor({ project, permitted, text });
}
