import type { ApprovalSubject, Grant } from "../../../src/contract/approval.ts";
import { canonicalJson } from "../../../src/contract/json.ts";
import { writeEntries } from "../../../src/ledger/entries.ts";
import { readDecision } from "../../../src/ledger/read.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { readSigningKey, signText } from "../../../src/store/signature.ts";
import type { House } from "./house.ts";

/** How an approval is forged: what is changed in a good grant before it is signed, in its row, and in the entry that claims it. */
export interface Forgery {
  readonly decisionId: string;
  readonly secret?: string;
  readonly grant?: (good: Grant) => unknown;
  readonly row?: { readonly [column: string]: string | number | null };
  /** Signs other bytes than those put in. */
  readonly signs?: (body: string) => string;
  readonly hasEntry?: boolean;
}

/** Puts an approval in with the desk's own login, as hostile code in the desk could. Returns its id. */
export async function forgeApproval(house: House, forgery: Forgery): Promise<string> {
  const { secret = house.deskKey.secret, decisionId } = forgery;
  const key = readSigningKey(secret);
  const ids = uuidIds(systemClock);
  const { body: decided, subject } = await subjectOf(house, decisionId);
  const now = Date.now();
  const good: Grant = {
    version: 1,
    id: ids.next(),
    tenant: decided.tenant,
    environment: "demo",
    subject,
    approver: { kind: "person", id: "ada", role: "approver", assertion: null },
    grantedAt: now,
    expiresAt: now + 60_000,
    nonce: "0123456789abcdef",
    keyId: key.keyId,
  };
  const body = canonicalJson(forgery.grant?.(good) ?? good);
  const entryId = ids.next();
  const row = {
    tenant: good.tenant,
    id: good.id,
    decision_id: decisionId,
    effect_index: 0,
    granted_by: "person",
    approver: "ada",
    body,
    signature: signText(key, forgery.signs?.(body) ?? body),
    entry_id: entryId,
    ...forgery.row,
  };
  await house.deskStore.inTenant(good.tenant, async (tx) => {
    // Columns are given as a test likes; the database checks them.
    await tx
      .insertInto("approval")
      .values(row as never)
      .execute();
    if (forgery.hasEntry === false) return;
    const frame = { id: entryId, tenant: good.tenant, ts: now, writer: "desk", decisionId, cause: null } as const;
    const facts = { approvalId: good.id, approver: "ada", approverKind: "person", effectIndex: 0 };
    await writeEntries({ tx, drafts: [{ ...frame, kind: "approved", facts, bodies: {} }], keys: house.keys });
  });
  return row.id;
}

async function subjectOf(house: House, decisionId: string): Promise<{ body: { tenant: string }; subject: ApprovalSubject }> {
  const { rows } = await house.admin.query<{ tenant: string }>(
    "select tenant from countersign.entry where decision_id = $1 limit 1",
    [decisionId],
  );
  const tenant = rows[0]?.tenant ?? "acme";
  const story = await house.deskStore.inTenant(tenant, (tx) => readDecision({ tx, tenant, decisionId, keys: house.keys }));
  const effect = story?.proposal?.effects[0];
  if (!story?.proposal || !effect) throw new Error("the decision proposes an effect");
  const { capability, capabilityVersion, digest: proposalDigest } = story.proposal;
  const { effect: name, paramsDigest, beforeDigest } = effect;
  const subject = {
    kind: "effect",
    decisionId,
    effectIndex: 0,
    effect: name,
    capability,
    capabilityVersion,
    proposalDigest,
    paramsDigest,
    beforeDigest,
  } as const;
  return { body: { tenant }, subject };
}
