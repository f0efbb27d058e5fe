import type { Json } from "countersign";
import type { Client } from "countersign/client";
import { people } from "../people.ts";
import { sentences } from "../sentences.ts";
import type { Asked, View } from "./asked.ts";
import { type Forgery, forgeApproval } from "./forge.ts";
import { countTickets, loseNextReply } from "./helpdesk.ts";
import type { Service } from "./service.ts";

/** One request and what became of it; `null` where it does not apply. */
export interface DecisionReport {
  readonly id: string;
  readonly request: string;
  readonly capability: string;
  readonly routing: string | null;
  readonly rule: string | null;
  readonly confidence: number | null;
  readonly verdict: string | null;
  /** Every verdict that a separate read gave, in order: after a lost reply first `unknown`, then what was found. */
  readonly verdicts: readonly string[];
  readonly stop: string | null;
  readonly approvedBy: string | null;
  readonly entryId: string;
  readonly state: string;
  readonly says: readonly string[];
}

export interface DemoReport {
  readonly decisions: readonly DecisionReport[];
  readonly refusals: readonly { readonly code: string; readonly approvalId: string | null }[];
  readonly database: Forgery["database"];
  readonly sandbox: { readonly tickets: number; readonly ticketsOfLostReply: number };
  readonly ledger: { readonly entries: number; readonly sealed: number; readonly verified: boolean };
}

/** Walks through the main use, one request after the other, and returns what was seen from outside. */
export async function runDemo(service: Service): Promise<DemoReport> {
  const requester = service.as(people.employee.id);
  const approver = service.as(people.approver.id);
  const ask = (text: string) => askOne(requester, text);
  const decisions = [
    await ask(sentences.answerLaptopAge),
    await ask(sentences.notInSources),
    await ask(sentences.ticketByNumber),
    await ask(sentences.mouseByPolicy),
    await approved({ ask, approver, text: sentences.laptopByPerson }),
    await ask(sentences.deviceOfAnother),
    await ask(sentences.prose),
    await lostReply({ service, ask }),
    await ask(sentences.severalWishes),
    await ask(sentences.slowByHeat),
    await ask(sentences.slowNeverEnds),
  ];
  const forgery = await forgeApproval({ service, waiting: (await ask(sentences.monitorUnsure)).view });
  return {
    decisions: await Promise.all([...decisions, forgery.decision].map((asked) => reportOf(asked, requester))),
    refusals: forgery.refusals,
    database: forgery.database,
    sandbox: {
      tickets: await countTickets(service.adminUrl),
      ticketsOfLostReply: await countTickets(service.adminUrl, "dev-2003"),
    },
    ledger: await verifiedLedger(service),
  };
}

async function askOne(client: Client, text: string): Promise<Asked> {
  const asked = await client.ask({ text, waitSeconds: 30 });
  return { text, view: asked.kind === "decided" ? asked.decision : asked.intake };
}

type Asking = (text: string) => Promise<Asked>;

/** Waits for a person: the approver looks at it, signs it, and waits for the verdict. */
async function approved({ ask, approver, text }: { ask: Asking; approver: Client; text: string }): Promise<Asked> {
  const { view } = await ask(text);
  await approver.approve(view.id);
  return { text, view: await settled(approver, view.id) };
}

/** The target commits and its reply is lost: unknown first, then reconciled by an independent read, never sent twice. */
async function lostReply({ service, ask }: { service: Service; ask: Asking }): Promise<Asked> {
  await loseNextReply(service.adminUrl, "dev-2003");
  const { text, view } = await ask(sentences.headsetLostReply);
  return { text, view: await settled(service.as(people.employee.id), view.id) };
}

const ended = new Set(["done", "failed", "escalated", "refused", "expired", "rejected_by_person"]);

/** Reads a decision until it has ended; the time limit is the demo's patience, not a rule. */
async function settled(client: Client, id: string): Promise<View> {
  const end = performance.now() + 60_000;
  for (;;) {
    const view = await client.decision(id);
    if (ended.has(view.state) || performance.now() > end) return view;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What `ledger verify --json` says of one tenant, as far as the demo needs it. */
interface TenantReport {
  readonly sealed: number;
  readonly unsealed: { readonly count: number };
  readonly broken: object | null;
}

async function verifiedLedger(service: Service): Promise<DemoReport["ledger"]> {
  const end = performance.now() + 20_000;
  for (;;) {
    const { tenants }: { tenants: readonly TenantReport[] } = JSON.parse(await service.command("ledger", "verify", "--json"));
    const sealed = tenants.reduce((sum, one) => sum + one.sealed, 0);
    const unsealed = tenants.reduce((sum, one) => sum + one.unsealed.count, 0);
    const verified = tenants.every((one) => one.broken === null);
    if (!verified || unsealed === 0 || performance.now() > end) return { entries: sealed + unsealed, sealed, verified };
  }
}

async function reportOf({ text, view }: Asked, client: Client): Promise<DecisionReport> {
  const last = view.effects.at(-1);
  const worst = view.effects.find((effect) => effect.verdict !== "complete") ?? last;
  return {
    id: view.id,
    request: text,
    capability: view.capability,
    routing: view.route,
    rule: view.rule,
    confidence: view.confidencePpm === null ? null : view.confidencePpm / 1_000_000,
    verdict: worst?.verdict ?? null,
    verdicts: (await client.story(view.id)).flatMap(({ body }) => verdictOf(body)),
    stop: view.stop?.reason ?? null,
    approvedBy: last?.approvedBy ?? null,
    entryId: view.entryId,
    state: view.state,
    says: view.claims.map((claim) => `${claim.text} [${claim.citation}]`),
  };
}

function verdictOf(body: Json): string[] {
  const verdict = typeof body === "object" && body !== null && "verdict" in body ? body["verdict"] : undefined;
  return typeof verdict === "string" ? [verdict] : [];
}
