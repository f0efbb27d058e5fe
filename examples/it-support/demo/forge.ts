import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import pg from "pg";
import { people, tenant } from "../people.ts";
import type { Asked } from "./asked.ts";
import type { Service } from "./service.ts";

/** What became of an attempt to forge an approval, and of the deciding role's attempt to write one. */
export interface Forgery {
  readonly decision: Asked;
  readonly refusals: readonly { readonly code: string; readonly approvalId: string | null }[];
  readonly database: readonly { readonly role: string; readonly tried: string; readonly answered: string }[];
}

/** Puts an approval into the database with the desk's own role, signed by a foreign key; then tries the same as the deciding role. */
export async function forgeApproval({ service, waiting }: { service: Service; waiting: Asked["view"] }): Promise<Forgery> {
  const forged = forgedGrant(waiting);
  await insertApproval(service.roleUrl("desk"), forged);
  const refusals = await refusalsOf(service, waiting.id);
  const answered = await insertApproval(service.roleUrl("deciding"), forgedGrant(waiting)).then(
    () => "accepted",
    (thrown: Error) => thrown.message,
  );
  const view = await service.as(people.approver.id).decision(waiting.id);
  return {
    decision: { text: "(a forged approval for a proposal that waits)", view },
    refusals,
    database: [{ role: "deciding", tried: "insert an approval", answered }],
  };
}

interface ForgedGrant {
  readonly id: string;
  readonly decisionId: string;
  readonly body: string;
  readonly signature: string;
}

/** Everything is right but the key. */
function forgedGrant(view: Asked["view"]): ForgedGrant {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const [effect] = view.effects;
  const id = randomUUID();
  const body = canonical({
    version: 1,
    id,
    tenant,
    environment: "demo",
    subject: {
      kind: "effect",
      decisionId: view.id,
      effectIndex: 0,
      effect: effect?.effect ?? "",
      capability: view.capability,
      capabilityVersion: view.capabilityVersion,
      proposalDigest: view.proposalDigest ?? "",
      paramsDigest: digestOf(effect?.params),
      beforeDigest: digestOf(effect?.before),
    },
    approver: { kind: "person", id: people.approver.id, role: "approver", assertion: null },
    grantedAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
    nonce: randomUUID(),
    keyId: createHash("sha256")
      .update(publicKey.export({ type: "spki", format: "der" }))
      .digest("hex"),
  });
  return { id, decisionId: view.id, body, signature: sign(null, Buffer.from(body), privateKey).toString("base64url") };
}

async function insertApproval(url: string, grant: ForgedGrant): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "forger" });
  await client.connect();
  try {
    await client.query("select set_config('countersign.tenants', $1, false)", [tenant]);
    await client.query(
      `insert into countersign.approval (tenant, id, decision_id, effect_index, granted_by, approver, body, signature, entry_id)
       values ($1, $2, $3, 0, 'person', $4, $5, $6, $7)`,
      [tenant, grant.id, grant.decisionId, people.approver.id, grant.body, grant.signature, randomUUID()],
    );
  } finally {
    await client.end();
  }
}

async function refusalsOf(service: Service, decisionId: string): Promise<Forgery["refusals"]> {
  const end = performance.now() + 20_000;
  for (;;) {
    const entries = await service.as(people.approver.id).story(decisionId);
    const refused = entries.filter((entry) => entry.kind === "refused");
    if (refused.length > 0 || performance.now() > end) return refused.map((entry) => refusalOf(entry.body));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function refusalOf(body: unknown): { code: string; approvalId: string | null } {
  const facts = body as { code?: string; approvalId?: string }; // the facts of a `refused` entry
  return { code: facts.code ?? "", approvalId: facts.approvalId ?? null };
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

/** Sorted keys and no spaces: enough canonical form for values without odd numbers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}
