import type { Capability, Deciding, ModelChoice } from "../../contract/capability.ts";
import type { RunningMigration } from "../../contract/migration.ts";
import type { Digest } from "../../contract/ports.ts";
import { defineCapability } from "../../define/capability.ts";
import { exchangeModel, isDecidedBy } from "../../define/exchange-model.ts";
import { isInShare } from "./in-share.ts";

/** Which model decides a request while its capability is migrated, and which one walks it beside that; nothing comes of the second. */
export interface Side {
  readonly migration: RunningMigration;
  readonly decides: "old" | "new";
  /** The definition that decides. */
  readonly capability: Capability;
  /** The definition with the other model. */
  readonly other: Capability;
}

/**
 * Says which model decides. In shadow it is the old one always; with a share the new one for the decisions of that share, with the old one as its second, so
 * that a requester gets an answer where the new one gives no reply. `null` for a decision outside of the share, and where the old model is not the
 * one that decides any more: a walk under another second model, judge or model of retrieval says nothing of who decides.
 */
export function sideOf({
  migration,
  capability,
  decisionId,
  digest,
}: {
  migration: RunningMigration;
  capability: Capability;
  decisionId: string;
  digest: Digest;
}): Side | null {
  const { id: migrationId, sharePpm, from, to, stage } = migration;
  if (!isDecidedBy(capability, from) || !isInShare({ migrationId, decisionId, sharePpm, digest })) return null;
  const exchanged = exchangeModel(capability, { from, to });
  if (exchanged === null) return null;
  if (stage === "shadow") return { migration, decides: "old", capability, other: exchanged };
  return { migration, decides: "new", capability: withSecond(exchanged, capability), other: capability };
}

/** The old model behind the new one, unless the definition has a second model already. */
function withSecond(capability: Capability, old: Capability): Capability {
  const { deciding } = capability;
  const second = old.deciding.kind === "rule" ? undefined : old.deciding.model;
  if (deciding.kind === "rule" || deciding.second !== undefined || second === undefined) return capability;
  if (second.provider === deciding.model.provider && second.id === deciding.model.id) return capability;
  return defineCapability({ ...capability, deciding: secondBehind(deciding, second) });
}

function secondBehind<I>(deciding: Exclude<Deciding<I>, { kind: "rule" }>, second: ModelChoice): Deciding<I> {
  return deciding.kind === "loop" ? { ...deciding, second } : { ...deciding, second };
}
