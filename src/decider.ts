/**
 * Builds the deciding half: graph, gateway, knowledge, journal. The only file that sees all its parts.
 * It may read, think and propose. Nothing that acts or signs can be reached from here.
 */
import type { Capability } from "./contract/capability.ts";
import type { DecisionRequest } from "./contract/decision.ts";
import { CountersignError } from "./contract/errors.ts";
import { toFrozenJson } from "./contract/json.ts";
import type { Clock, Ids, Journal, Vault } from "./contract/ports.ts";
import type { Cancel, Principal } from "./contract/principal.ts";
import type { AskView, DecisionView, EntryView } from "./contract/views.ts";
import { graph } from "./decide/graph.ts";
import { intakeFor } from "./decide/intake.ts";
import { runDecision } from "./decide/run.ts";
import type { Deps } from "./decide/state.ts";
import type { DecidingParts } from "./define/deciding.ts";
import type { Project } from "./define/project.ts";
import { createGateway } from "./gateway/call.ts";
import { policy } from "./guard/policy/policy.ts";
import { openRecords } from "./know/records/records.ts";
import { createContext } from "./know/search/context.ts";
import { createJournal } from "./ledger/journal.ts";
import { type PayloadKeys, payloadKeys } from "./ledger/payload.ts";
import { pooledRandom } from "./ledger/random.ts";
import { readDecision, storyOf, viewDecision } from "./ledger/read.ts";
import { readSlices } from "./ledger/slices.ts";
import { createSweeper } from "./ledger/sweep.ts";
import { systemDeadline } from "./store/clock.ts";
import type { Database } from "./store/database.ts";
import { sha256Digest } from "./store/digest.ts";
import { isId } from "./store/ids.ts";

/** What the deciding half is built from. `parts` is the default export of the project's `decide.ts`. */
export interface DeciderOptions {
  readonly project: Project;
  readonly parts: DecidingParts;
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: string;
  readonly payloadKey: Buffer;
  readonly canaries?: readonly string[];
}

/** A request for one decision of a named capability, or of whatever a sentence is for. */
interface Asking {
  readonly principal: Principal;
  readonly idempotencyKey?: string | null;
  readonly cancel?: Cancel;
}

/** The deciding half. Holds connections; close it. */
export interface Decider {
  /** Decides; throws `unknown_capability`, `bad_text`, `input_invalid` (recorded), `in_progress`, `idempotency_conflict`. */
  readonly decide: (asking: Asking & { capability: string; inputs: unknown }) => Promise<DecisionView>;
  /** Lets intake pick the capability, then decides; asks back where nothing or several things fit. */
  readonly ask: (asking: Asking & { text: string }) => Promise<AskView>;
  /** One decision that this principal may see, or `not_found`. */
  readonly decision: (of: { principal: Principal; decisionId: string }) => Promise<DecisionView>;
  /** The entries of one decision in their order. */
  readonly story: (of: { principal: Principal; decisionId: string }) => Promise<readonly EntryView[]>;
  readonly close: () => Promise<void>;
}

const nobodyCancels: Cancel = { isCancelled: () => false, onCancel: () => {} };

/** Opens the deciding half under its own database role and its own secrets. */
export async function createDecider(options: DeciderOptions): Promise<Decider> {
  const { database, clock, parts } = options;
  const keys = payloadKeys(options.payloadKey, pooledRandom());
  const records = openRecords({ sources: parts.records, vault: options.vault, clock, deadline: systemDeadline });
  const hidden = await openHiddenValues(options);
  const journal = createJournal({ url: database.url, clock, keys });
  const sweeper = createSweeper({ database, keys });
  const deps: Omit<Deps, "capability" | "cancel"> = {
    environment: options.environment,
    clock,
    deadline: systemDeadline,
    digest: sha256Digest,
    model: createGateway({ providers: parts.providers, clock }),
    context: createContext({ database, records }),
    slices: readSlices({ database, clock }),
    permit: policy,
    hiddenValues: hidden,
    canaries: options.canaries ?? [],
  };
  const room: Room = { options, journal, keys, deps };
  return {
    decide: (asking) => decideNamed(room, asking),
    ask: (asking) => ask(room, asking),
    decision: async (of) => (await readSeen(room, of)).view,
    story: async (of) => (await readSeen(room, of)).entries,
    close: async () => {
      await sweeper.stop();
      await journal.stop();
      await Promise.all([records.close(), hidden.close()]);
    },
  };
}

interface Room {
  readonly options: DeciderOptions;
  readonly journal: Journal;
  readonly keys: PayloadKeys;
  readonly deps: Omit<Deps, "capability" | "cancel">;
}

async function openHiddenValues({
  parts,
  vault,
}: DeciderOptions): Promise<Deps["hiddenValues"] & { close: () => Promise<void> }> {
  const source = parts.hiddenValues;
  if (source === null) return { hiddenFrom: async () => [], close: async () => {} };
  return source.open(vault.secret(source.connector.secret));
}

async function decideNamed(room: Room, asking: Asking & { capability: string; inputs: unknown }): Promise<DecisionView> {
  const capability = openTo(room, asking.principal).find((one) => one.name === asking.capability);
  if (capability === undefined) {
    throw new CountersignError(
      "unknown_capability",
      "no capability of that name is open to you; see `countersign check` for the names",
    );
  }
  return run(room, { ...asking, capability, cause: null });
}

async function ask(room: Room, asking: Asking & { text: string }): Promise<AskView> {
  const open = openTo(room, asking.principal);
  const inputs = { text: asking.text };
  const capability = intakeFor({ project: room.options.project, permitted: open, text: asking.text });
  const intake = await run(room, { ...asking, capability, inputs, cause: null });
  const picked = open.find((one) => one.name === intake.label);
  if (picked === undefined) return { kind: "asked_back", intake, question: questionFor(intake, open) };
  const idempotencyKey = asking.idempotencyKey == null ? null : `${asking.idempotencyKey}/${picked.name}`;
  return {
    kind: "decided",
    intake,
    decision: await run(room, { ...asking, idempotencyKey, capability: picked, inputs, cause: intake.entryId }),
  };
}

/** What the requester is asked back; nothing is guessed. */
function questionFor(intake: DecisionView, open: readonly Capability[]): string {
  if (intake.label === "several") return "Your request holds more than one wish. Please send them one at a time.";
  const known = open.map((capability) => capability.description).join(" ");
  if (intake.stop !== null)
    return "Your request could not be sorted just now; nothing was done. Please try again, or say it in other words.";
  return `Nothing that can be done here fits your request. What can be done: ${known}`;
}

function openTo({ options }: Room, principal: Principal): readonly Capability[] {
  return options.project.capabilities.filter((capability) => policy.mayUse(principal, capability).kind === "permitted");
}

async function run(
  room: Room,
  asking: Asking & { capability: Capability; inputs: unknown; cause: string | null },
): Promise<DecisionView> {
  const { principal, capability } = asking;
  const request: DecisionRequest = {
    decisionId: room.options.ids.next(),
    entryId: room.options.ids.next(),
    principal,
    capability: capability.name,
    inputs: keepable(asking.inputs),
    idempotencyKey: asking.idempotencyKey ?? null,
    cause: asking.cause,
  };
  const deps: Deps = { ...room.deps, capability, cancel: asking.cancel ?? nobodyCancels };
  const ended = await runDecision({ graph, request, deps, journal: room.journal });
  const decisionId = ended.kind === "repeated" ? ended.decisionId : request.decisionId;
  const { view } = await readSeen(room, { principal, decisionId });
  if (view.stop?.reason === "input_invalid") throw inputInvalid(view);
  return view;
}

/** Inputs must be JSON that every store can keep; text that is not is refused at the door, before anything is written. */
function keepable(inputs: unknown): unknown {
  try {
    return toFrozenJson(inputs);
  } catch (cause) {
    throw new CountersignError(
      "bad_text",
      "the inputs hold characters or values that cannot be kept, such as NUL or a lone surrogate",
      { cause },
    );
  }
}

function inputInvalid({ id, entryId, stop }: DecisionView): CountersignError {
  return new CountersignError("input_invalid", `the inputs do not fit: ${stop?.detail ?? ""}`, {
    facts: { decisionId: id, entryId },
  });
}

async function readSeen(
  { options, keys }: Room,
  { principal, decisionId }: { principal: Principal; decisionId: string },
): Promise<{ view: DecisionView; entries: readonly EntryView[] }> {
  const { tenant } = principal;
  const story = isId(decisionId)
    ? await options.database.inSnapshot(tenant, (tx) => readDecision({ tx, tenant, decisionId, keys }))
    : null;
  if (
    story === null ||
    policy.maySee({ principal, requestedBy: story.requestedBy, onBehalfOf: story.onBehalfOf }).kind === "refused"
  ) {
    throw new CountersignError("not_found", "no decision of that id is open to you");
  }
  return { view: viewDecision(story), entries: storyOf(story) };
}
