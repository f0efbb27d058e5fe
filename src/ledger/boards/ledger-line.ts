import type { JsonObject } from "../../contract/json.ts";
import type { LedgerEntryView, LedgerLine } from "../../contract/ledger-view.ts";
import type { EntryView } from "../../contract/views.ts";
import { writerRoles } from "../../contract/words.ts";
import { linkHash } from "../chain.ts";
import { numberAt, objectAt, textAt } from "../fields.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";
import type { LedgerRow } from "./ledger-rows.ts";
import type { SeenStory } from "./seen-stories.ts";

/** One entry as a list tells it; `seen` is its decision as this reader may see that, `null` for an entry of no decision. */
export function ledgerLine(row: LedgerRow, seen: SeenStory | null): LedgerLine {
  const body = readOr("mark", () => parseBody(row.body)) ?? {};
  const effectIndex = numberAt(body, "effectIndex");
  const { id, kind, decision_id: decisionId, capability } = row;
  return {
    ...{ id, kind, decisionId, capability: seen?.view.capability ?? capability, effectIndex },
    ...{ seq: row.seq === null ? null : Number(row.seq), ts: Number(row.ts), sealedAt: row.sealed_at?.getTime() ?? null },
    writer: writerRoles.find((role) => role === row.writer) ?? "owner",
    word: wordOf(row, body),
    what: whatOf(seen, effectIndex),
    hash: row.hash.toString("hex"),
  };
}

function wordOf({ kind }: LedgerRow, body: JsonObject): string | null {
  switch (kind) {
    case "decided":
      return textAt(body, "route");
    case "stopped":
      return textAt(objectAt(body, "stop") ?? {}, "reason");
    case "observed":
      return textAt(body, "verdict");
    case "approved":
      return textAt(body, "approverKind");
    case "resolved":
      return textAt(body, "outcome");
    default:
      return textAt(body, "code") ?? textAt(body, "reason");
  }
}

function whatOf(seen: SeenStory | null, effectIndex: number | null): string | null {
  if (seen === null) return null;
  const { effects, summary } = seen.view;
  const effect = effectIndex === null ? undefined : effects.find(({ index }) => index === effectIndex);
  return effect?.sentence ?? summary;
}

/** One entry whole. `told` is it with the bodies that this reader may read, as the story of its decision tells it. */
export function ledgerEntry(
  row: LedgerRow,
  { seen, told, tenant }: { seen: SeenStory | null; told: Pick<EntryView, "body">; tenant: string },
): LedgerEntryView {
  const { bodies = null, erased, unreadable, ...body } = objectOf(told.body);
  const payloadState =
    erased === true ? "erased" : unreadable === true ? "unreadable" : row.has_payload ? ("kept" as const) : "none";
  const { seq, prev_hash: prevHash } = row;
  const link = { tenant, seq: Number(seq), entryId: row.id, entryHash: row.hash };
  return {
    ...ledgerLine(row, seen),
    ...{ cause: row.cause, bytes: row.body, body, payload: bodies === null ? null : objectOf(bodies), payloadState },
    sealHash: seq === null || prevHash === null ? null : linkHash({ ...link, prevHash }).toString("hex"),
    prevHash: prevHash?.toString("hex") ?? null,
  };
}

function objectOf(value: EntryView["body"]): JsonObject {
  return objectAt({ value }, "value") ?? {};
}
