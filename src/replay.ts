/**
 * Builds the replay of kept decisions: book, graph, recorded replies. It walks a decision again under the definitions of today and
 * compares. It reaches no model, no system of record and no secret but the payload key, and it writes nothing. Where it is handed what a
 * deciding process walks over, it asks a model anew and says what would change; of that it writes what it cost, and nothing else.
 */
import { neverCancelled } from "./contract/cancel.ts";
import type { Capability } from "./contract/capability.ts";
import type { DecisionRecord } from "./contract/decision.ts";
import { CountersignError } from "./contract/errors.ts";
import type { Ids } from "./contract/ports.ts";
import type { Proposal } from "./contract/proposal.ts";
import { intakeFor } from "./decide/intake.ts";
import { ownWordsOnly } from "./decide/own-words.ts";
import { type Changes, changesBetween, isUnchanged } from "./decide/replay/changes.ts";
import { type Difference, firstDifference } from "./decide/replay/compare.ts";
import { type Booked, type BookedOutcome, type Kept, keptOf } from "./decide/replay/kept.ts";
import { type Rehearsing, rehearse } from "./decide/replay/rehearse.ts";
import { type Replay, type ReplayDeps, replayDecision, walkRecorded } from "./decide/replay/replay.ts";
import type { Project } from "./define/project.ts";
import { replayGateway } from "./gateway/replay.ts";
import type { Policy } from "./guard/policy/policy.ts";
import { editorOf } from "./ledger/asker.ts";
import { decisionDraft } from "./ledger/decision-entry.ts";
import { textAt } from "./ledger/fields.ts";
import type { PayloadKeys } from "./ledger/payload.ts";
import { type DecisionStory, readDecision } from "./ledger/read.ts";
import { requesterOf } from "./ledger/requester.ts";
import { keepSpendOf } from "./ledger/spend-rows.ts";
import { systemDeadline } from "./store/clock.ts";
import type { Database } from "./store/database.ts";
import { sha256Digest } from "./store/digest.ts";
import { isId } from "./store/ids.ts";

export type { Replay } from "./decide/replay/replay.ts";

/** Where a kept decision is found, under the role `deciding`. */
interface KeptParts {
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly decisionId: string;
}

/** What a replay is made from. */
export interface ReplayParts extends KeptParts {
  readonly project: Project;
  readonly policy: Policy;
}

/** What would be otherwise; what is left out is as it was recorded. */
export interface Otherwise {
  /** The project with another model or another prompt. */
  readonly project?: Project;
  readonly policy?: Policy;
  /** `now` reads the context anew. */
  readonly corpus?: "recorded" | "now";
  /** Asks a model anew; without it the recorded replies are given again. */
  readonly rehearsing?: Rehearsing & { readonly ids: Ids };
}

/** What would change: the first node that leaves something else, and what of the outcome, with what it cost to find out. */
export type WhatIf =
  | { readonly kind: "cannot"; readonly missing: string }
  | {
      readonly kind: "same" | "differs";
      readonly first: Difference | null;
      readonly changes: Changes;
      readonly calls: number;
      readonly costMicros: number;
    };

/** Replays one decision of any tenant. Throws `not_found` where none of that id has ended. */
export async function replayKept(parts: ReplayParts): Promise<Replay> {
  const then = await bookedOf(parts);
  return "missing" in then ? { kind: "cannot", ...then } : replayDecision(then, depsOver(parts.project, parts.policy));
}

/**
 * Says what would change of one decision of any tenant if something were otherwise. Nothing of it is applied, signed or kept but its
 * spend. Throws `not_found` where none of that id has ended, `budget_spent` where a budget does not hold the calls.
 */
export async function whatIf(parts: ReplayParts, otherwise: Otherwise): Promise<WhatIf> {
  const then = await bookedOf(parts);
  if ("missing" in then) return { kind: "cannot", ...then };
  const kept = keptOf(then);
  if ("missing" in kept) return { kind: "cannot", ...kept };
  const { project = parts.project, policy = parts.policy, rehearsing, corpus = "recorded" } = otherwise;
  const deps = depsOver(project, policy);
  const named = deps.capabilityFor(kept);
  if (named === undefined) return { kind: "cannot", missing: `the project has no capability \`${kept.request.capability}\`` };
  const ruling = policy.mayUse(kept.request.principal, named);
  if (ruling.kind === "refused") return notOpen(then, ruling.rule);
  const capability = kept.given === undefined ? named : ownWordsOnly(named, kept.given);
  const outcomes = { before: then, policies: { before: parts.policy, now: policy } };
  if (rehearsing === undefined) {
    const walked = await walkRecorded({ then, kept, capability }, deps);
    if ("missing" in walked) return { kind: "cannot", ...walked };
    return told({ ...outcomes, now: walked.now }, { first: walked.difference, calls: 0, costMicros: 0 });
  }
  const record = await rehearse(
    { kept, at: then.at, capability, corpus, cancel: neverCancelled },
    { ...rehearsing, deps: { ...rehearsing.deps, permit: policy } },
  );
  // What it cost stands under an id of its own: that of then has its own rows.
  const request = { ...record.request, decisionId: rehearsing.ids.next() };
  await keepSpendOf(parts.database, { ...record, request, at: rehearsing.deps.clock.now() });
  const now = deps.booked(record);
  return told({ ...outcomes, now }, { first: firstDifference(then, now, meantToDiffer), ...costOf(record) });
}

/** The capability of an ended decision of any tenant, by its name. Throws `not_found` where none of that id has ended. */
export async function capabilityOf(parts: KeptParts): Promise<string> {
  const { outcome } = await storyOf(parts);
  return textAt(outcome.body, "capability") ?? "";
}

/** What would change between two outcomes, each with what its policy lets pass alone. */
function told(
  { before, now, policies }: { before: BookedOutcome; now: BookedOutcome; policies: { before: Policy; now: Policy } },
  found: Pick<Exclude<WhatIf, { kind: "cannot" }>, "first" | "calls" | "costMicros">,
): WhatIf {
  const changes = changesBetween(withPassing(before, policies.before), withPassing(now, policies.now));
  return { kind: isUnchanged(changes) ? "same" : "differs", ...found, changes };
}

/** Of a model that is asked anew the requests and the words differ in any case; what counts is what came of them. */
const meantToDiffer = ["model", "version", "request", "reply", "loop"];

function costOf({ calls }: DecisionRecord): { calls: number; costMicros: number } {
  return { calls: calls.length, costMicros: calls.reduce((sum, { costMicros }) => sum + costMicros, 0) };
}

/** Which of its effects policy would sign for by itself: it is asked of the same principal as in the acting half. */
function withPassing<T extends BookedOutcome>(outcome: T, policy: Policy): T {
  const { facts, bodies } = outcome;
  const proposal = (bodies["proposal"] ?? null) as Proposal | null; // as the journal keeps it
  if (proposal === null || facts["route"] !== "auto") return outcome;
  const requester = requesterOf(facts, proposal);
  const passing = proposal.effects.map(
    ({ effect: name, risk }) => policy.mayPassAlone(requester, { name, risk }).kind === "permitted",
  );
  return { ...outcome, facts: { ...facts, passesAlone: passing } };
}

/** Whoever asked could not ask it any more. */
function notOpen(then: Booked, rule: string): WhatIf {
  const stop = { node: "entry", reason: "not_permitted", rule };
  const now: BookedOutcome = { kind: "stopped", facts: { stop }, bodies: {} };
  const changes = changesBetween(then, now);
  return { kind: "differs", first: { node: "entry", parts: ["stop"] }, changes, calls: 0, costMicros: 0 };
}

async function bookedOf(parts: ReplayParts): Promise<Booked | { readonly missing: string }> {
  const story = await storyOf(parts);
  const { outcome, tenant, decisionId } = story;
  if (outcome.isUnreadable) return { missing: "its payload cannot be read with this key" };
  if (outcome.isErased) return { missing: "its payload was erased" };
  if (inputsErased(story)) return { missing: "its inputs were kept and are erased by now" };
  if (editorOf(story) !== null) return { missing: "a person decided it, and a replay has nobody who does" };
  const { id: entryId, kind, ts: at, cause, body: facts, bodies } = outcome;
  return { tenant, decisionId, entryId, kind, at, cause, facts, bodies };
}

function inputsErased({ following }: DecisionStory): boolean {
  return following.some(({ kind, body }) => kind === "erased" && body["part"] === "inputs");
}

async function storyOf(parts: KeptParts): Promise<DecisionStory> {
  const story = isId(parts.decisionId) ? await findStory(parts) : null;
  if (story === null) throw new CountersignError("not_found", "no decision of that id has ended here");
  return story;
}

async function findStory({ database, keys, decisionId }: KeptParts): Promise<DecisionStory | null> {
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
