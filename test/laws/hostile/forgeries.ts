import { generateKeyPairSync } from "node:crypto";
import { sql } from "kysely";
import type { Grant } from "../../../src/contract/approval.ts";
import { canonicalJson } from "../../../src/contract/json.ts";
import { createDesk } from "../../../src/desk.ts";
import { writeEntries } from "../../../src/ledger/entries.ts";
import { readDecision } from "../../../src/ledger/read.ts";
import { readSigningKey, signText } from "../../../src/store/signature.ts";
import { createWorker } from "../../../src/worker.ts";
import { people } from "../../postgres/acting/decided.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import type { World } from "./world.ts";

/** Runs a whole acting half under the URL, the credentials and the keys that the process has; throws its first fault. */
export async function workAsOwnWorker(world: World): Promise<void> {
  const { sample, hands, database, clock, ids, env, payloadKey, credentials, anyCredential } = world;
  const faults: unknown[] = [];
  const worker = createWorker({
    policy: shippedPolicy,
    ...{ project: sample.project, hands, database, clock, ids, environment: "demo", payloadKey },
    vault: anyCredential(credentials[0] ?? ""),
    pinnedKeys: [env["COUNTERSIGN_DESK_PUBLIC_KEYS"] ?? newKey().open],
    policyKey: env["COUNTERSIGN_POLICY_KEY"] ?? newKey().secret,
    headKeeper: { read: async () => null, keep: async () => {} },
    onError: (thrown) => void faults.push(thrown),
  });
  try {
    const { reserved } = await worker.runOnce();
    if (reserved === 0) throw faults[0] ?? new Error("the worker found nothing that it may begin");
  } finally {
    await worker.stop();
  }
}

/** Builds a desk and signs there in a person's name. */
export async function approveAtOwnDesk(world: World): Promise<void> {
  const { sample, database, clock, ids, payloadKey, target } = world;
  const deskKey = deskKeyOf(world);
  const desk = createDesk({
    policy: shippedPolicy,
    project: sample.project,
    database,
    clock,
    ids,
    environment: "demo",
    deskKey,
    payloadKey,
  });
  await desk.approve({ principal: people.abe, decisionId: target.waiting[0] });
}

/** Signs a person's approval and puts it in with its entry, past the desk. */
export function putInApproval(world: World): Promise<void> {
  return putIn(world, {
    kind: "person",
    id: "ada",
    role: "approver",
    key: deskKeyOf(world),
    decisionId: world.target.waiting[1],
  });
}

/** The same in the name of policy. */
export function putInPolicyApproval(world: World): Promise<void> {
  const key = world.env["COUNTERSIGN_POLICY_KEY"] ?? newKey().secret;
  return putIn(world, { kind: "policy", id: shippedPolicy.version, role: "policy", key, decisionId: world.target.waiting[2] });
}

type Signer = Pick<Grant["approver"], "kind" | "id" | "role"> & { readonly key: string; readonly decisionId: string };

async function putIn(world: World, { key: secret, decisionId, ...signer }: Signer): Promise<void> {
  const { database, ids, keys } = world;
  const { tenant } = world.target;
  const key = readSigningKey(secret);
  await database.inTenant(tenant, async (tx) => {
    const story = await readDecision({ tx, tenant, decisionId, keys });
    const effect = story?.proposal?.effects[0];
    if (!story?.proposal || !effect) throw new Error("the decision proposes an effect");
    const { capability, capabilityVersion, digest: proposalDigest } = story.proposal;
    const { effect: name, paramsDigest, beforeDigest } = effect;
    const of = { kind: "effect", decisionId, effectIndex: 0, effect: name, capability, capabilityVersion } as const;
    const grant: Grant = {
      ...{ version: 1, id: ids.next(), tenant, environment: "demo" },
      subject: { ...of, proposalDigest, paramsDigest, beforeDigest },
      approver: { ...signer, assertion: null },
      ...{ grantedAt: Date.now(), expiresAt: Date.now() + 600_000, nonce: "0123456789abcdef", keyId: key.keyId },
    };
    const body = canonicalJson(grant);
    const entryId = ids.next();
    await sql`insert into countersign.approval (tenant, id, decision_id, effect_index, granted_by, approver, body, signature, entry_id, needs)
      values (${tenant}, ${grant.id}, ${decisionId}, 0, ${signer.kind}, ${signer.id}, ${body}, ${signText(key, body)}, ${entryId}, 1)`.execute(
      tx,
    );
    const writer = database.role === "admin" || database.role === "ingesting" ? "acting" : database.role;
    const facts = { approvalId: grant.id, approver: signer.id, approverKind: signer.kind, role: signer.role, effectIndex: 0 };
    const frame = { id: entryId, tenant, ts: Date.now(), writer, decisionId, cause: null } as const;
    await writeEntries({ tx, drafts: [{ ...frame, kind: "approved", facts, bodies: {} }], keys });
  });
}

/** The desk's key where the process has it; else one of its own, which signs just as well. */
function deskKeyOf({ env }: World): string {
  return env["COUNTERSIGN_DESK_KEY"] ?? newKey().secret;
}

function newKey(): { secret: string; open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}
