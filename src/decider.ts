/**
 * Builds the deciding half: graph, gateway, knowledge, journal. The only file that sees all its parts.
 * It may read, think and propose. Nothing that acts or signs can be reached from here.
 */

import type { Meter } from "./contract/budget.ts";
import { neverCancelled } from "./contract/cancel.ts";
import type { Capability } from "./contract/capability.ts";
import type { Asking, Decider } from "./contract/decider.ts";
import type { DecisionRequest } from "./contract/decision.ts";
import { CountersignError } from "./contract/errors.ts";
import { canonicalJson } from "./contract/json.ts";
import type { Clock, Ids, Journal, Spans, Vault } from "./contract/ports.ts";
import type { Principal } from "./contract/principal.ts";
import type { PrivacyFiles } from "./contract/privacy.ts";
import type { WorkflowStep } from "./contract/runtime.ts";
import { namedTime, type Trial } from "./contract/trial.ts";
import type { AskView, DecisionView } from "./contract/views.ts";
import { decideByText } from "./decide/ask.ts";
import { acceptedEdit, checkEdit, type Edit, type EditedFrom, editedDeps, editedFrom, editedJournal } from "./decide/edit.ts";
import { graph } from "./decide/graph.ts";
import { keepableInputs } from "./decide/keepable-inputs.ts";
import { createLookUp } from "./decide/look-up.ts";
import { createMigrating, type Migrating } from "./decide/migration/migrating.ts";
import { keepingGiven, ownWordsOnly } from "./decide/own-words.ts";
import { runDecision } from "./decide/run.ts";
import type { Deps } from "./decide/state.ts";
import { createTools } from "./decide/tools.ts";
import { watchedContext } from "./decide/watched-context.ts";
import { watchedTools } from "./decide/watched-tools.ts";
import type { DecidingParts } from "./define/deciding.ts";
import { modelsOf } from "./define/models-of.ts";
import type { Project } from "./define/project.ts";
import { openModels } from "./gateway/open-models.ts";
import { openSearchModels } from "./gateway/open-search-models.ts";
import { openMeter } from "./guard/budget/meter.ts";
import { openPrices } from "./guard/budget/prices.ts";
import type { Policy } from "./guard/policy/policy.ts";
import { openFacts } from "./know/facts/facts.ts";
import { factRecords } from "./know/facts/sight.ts";
import { openMemory, type ReadNotes } from "./know/memory/memory.ts";
import { openHiddenValues } from "./know/records/open-hidden-values.ts";
import { openRecords } from "./know/records/records.ts";
import { redundancyOf } from "./know/redundancy/analyze.ts";
import { duplicatesBy } from "./know/redundancy/keep-one.ts";
import { analyse } from "./know/search/analyse.ts";
import { freshnessCheck } from "./know/search/freshness.ts";
import { searchWithModels } from "./know/search/search-with-models.ts";
import { startAskingWanted, type WantedRequest } from "./ledger/ask-wanted.ts";
import { createJournal } from "./ledger/journal.ts";
import { openModelMigrations } from "./ledger/model-migrations.ts";
import { readNotes as readLedgerNotes } from "./ledger/notes.ts";
import { type PayloadKeys, payloadKeys } from "./ledger/payload.ts";
import { pooledRandom } from "./ledger/random.ts";
import { readDecision } from "./ledger/read.ts";
import { openReading, type Reading } from "./ledger/reading.ts";
import { openRuntime, type RuntimePlace } from "./ledger/runtime.ts";
import { readSlices } from "./ledger/slices.ts";
import { createSweeper } from "./ledger/sweep.ts";
import { systemDeadline } from "./store/clock.ts";
import type { Database } from "./store/database.ts";
import { sha256Digest } from "./store/digest.ts";
import { readPublicKeys, signedUnder } from "./store/signature.ts";
import { openSpans } from "./telemetry/spans.ts";

export type { Decider } from "./contract/decider.ts";

/** What the deciding half is built from. `parts` is the default export of the project's `decide.ts`. */
export interface DeciderOptions {
  readonly project: Project;
  readonly parts: DecidingParts;
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: string;
  readonly policy: Policy;
  readonly payloadKey: Buffer;
  readonly canaries?: readonly string[];
  /** Where it runs, and which switches are on. */
  readonly place?: RuntimePlace;
  /** What the project says of privacy: its policy, what is exempt from the boundary, and values that it names. */
  readonly privacy?: PrivacyFiles;
  /** Set where eval cases are played, in a scratch installation. */
  readonly trial?: Trial | null;
  /** The text of a file of prices that goes before the shipped ones. */
  readonly prices?: string | null;
  /** Who watches; whoever has registered an SDK by now, unless told. */
  readonly spans?: Spans | null;
  /** Told of what failed in the background, such as a round of the sweeper; it goes on by itself. */
  readonly onError: (thrown: unknown) => void;
}

/** Opens the deciding half under its own database role and its own secrets. */
export async function createDecider(options: DeciderOptions): Promise<Decider> {
  const { database, clock, policy } = options;
  const { deps, meter, keys, close } = await openWalk(options);
  const journal = createJournal({ url: database.url, clock, keys });
  const sweeper = createSweeper({ database, keys, onError: options.onError });
  const reading = openReading({ database, keys, sightOf: policy.sightOf });
  const migrations = openModelMigrations(database, signedUnder(readPublicKeys(options.privacy?.publicKeys ?? [])));
  const migrating = createMigrating({ ...migrations, meter, clock, onError: options.onError });
  const room: Room = { options, journal, reading, keys, deps, meter, migrating };
  const wanted = startAskingWanted({ database, keys, onError: options.onError, decide: (asked) => decideWanted(room, asked) });
  return {
    decide: (asking) => decideNamed(room, asking),
    ask: (asking) => ask(room, asking),
    edit: (editing) => edit(room, editing),
    decision: async (of) => (await reading.decision(of)).view,
    story: async (of) => (await reading.decision(of)).entries,
    mark: (of) => reading.mark(of),
    ...createLookUp(deps),
    redundancy: redundancyOf,
    close: async () => {
      await wanted.stop();
      await migrating.idle();
      await sweeper.stop();
      await journal.stop();
      await close();
    },
  };
}

/** What a decision walks over: its ports, and the meter of what it may use. */
export interface Walk extends Pick<Room, "deps" | "meter" | "keys"> {
  readonly close: () => Promise<void>;
}

/** Opens what decisions walk over, and nothing that begins, keeps or sweeps one. */
export async function openWalk(options: DeciderOptions): Promise<Walk> {
  const { database, clock, parts, policy, project, privacy } = options;
  const { spans = openSpans() } = options;
  // First, since it refuses models and keys that cannot be, and nothing is open yet.
  const model = openModels({
    ...{ listed: parts.providers, vault: options.vault, project: project.name, models: modelsOf(project) },
    ...{ privacy, isSigned: signedUnder(readPublicKeys(privacy?.publicKeys ?? [])), recogniser: parts.recogniser },
    ...{ clock, deadline: systemDeadline, random: Math.random, spans, onSent: options.trial?.onSent, ...parts.modelTimes },
  });
  const searchModels = { ...(await openSearchModels(parts.search ?? {}, options.vault)), weights: parts.search?.weights ?? {} };
  const prices = openPrices({ override: options.prices ?? null, now: clock.now });
  const keys = payloadKeys(options.payloadKey, pooledRandom(), database);
  const records = openRecords({
    sources: [...parts.records, factRecords(database)],
    vault: options.vault,
    clock,
    deadline: systemDeadline,
    permit: policy,
  });
  const hidden = await openHiddenValues(parts.hiddenValues, options.vault);
  const readNotes: ReadNotes = (asked) => readLedgerNotes({ ...asked, keys });
  const found = {
    ...searchWithModels({ database, clock, checkFreshness: freshnessCheck(options.project.sources) }, searchModels),
    readRecords: records.readRecords,
    ...openFacts(database),
    ...openMemory({ database, readNotes }),
  };
  const context = watchedContext(found, spans);
  const meter = openMeter({ database, clock, ids: options.ids, prices, onError: options.onError });
  const deps: Omit<Deps, "capability" | "cancel"> = {
    environment: options.environment,
    clock,
    deadline: systemDeadline,
    digest: sha256Digest,
    model,
    spans,
    context,
    tools: watchedTools(createTools({ context, permit: policy }), spans),
    slices: readSlices({ database, clock }),
    permit: policy,
    runtime: openRuntime({ database, place: options.place ?? { region: null, flags: [] } }),
    hiddenValues: records.hiddenBeside(hidden),
    canaries: options.canaries ?? [],
    // Two kinds of knowledge that know nothing of each other: words count as the search compares them.
    findDuplicates: duplicatesBy((text) => analyse(text).flat()),
  };
  const close = async () => {
    await meter.stop();
    await Promise.all([records.close(), hidden.close()]);
  };
  return { deps, meter, keys, close };
}

interface Room {
  readonly options: DeciderOptions;
  readonly journal: Journal;
  readonly reading: Reading;
  readonly keys: PayloadKeys;
  readonly meter: Meter;
  readonly migrating: Migrating;
  readonly deps: Omit<Deps, "capability" | "cancel">;
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

/** What the acting half wants decided was open to somebody there; whom the capability is open to at the door does not matter. */
async function decideWanted(room: Room, asked: WantedRequest): Promise<DecisionView> {
  const capability = room.options.project.capabilities.find((one) => one.name === asked.capability);
  if (capability === undefined)
    throw new CountersignError("unknown_capability", `\`${asked.capability}\` is not part of this project`);
  // The acting half computed the inputs, so what of them is the principal's own is seen by what these gave.
  const { given } = asked;
  const journal = keepingGiven(room.journal, { capability, given });
  return run({ ...room, journal }, { ...asked, capability: ownWordsOnly(capability, given) });
}

function ask(room: Room, asking: Asking & { text: string }): Promise<AskView> {
  const { principal, text, idempotencyKey = null } = asking;
  return decideByText({
    project: room.options.project,
    permitted: openTo(room, principal),
    text,
    // The second decision's key is the first's with the capability's name behind it.
    decide: ({ capability, cause }) => {
      const key = idempotencyKey === null || cause === null ? idempotencyKey : `${idempotencyKey}/${capability.name}`;
      return run(room, { ...asking, idempotencyKey: key, capability, inputs: { text }, cause });
    },
  });
}

function openTo({ options }: Room, principal: Principal): readonly Capability[] {
  return options.project.capabilities.filter((capability) => options.policy.mayUse(principal, capability).kind === "permitted");
}

async function run(
  room: Room,
  asking: Asking & { capability: Capability; inputs: unknown; cause: string | null; workflow?: WorkflowStep | null },
): Promise<DecisionView> {
  const { principal, capability } = asking;
  const request: DecisionRequest = {
    decisionId: room.options.ids.next(),
    entryId: room.options.ids.next(),
    principal,
    capability: capability.name,
    inputs: keepableInputs(asking.inputs),
    idempotencyKey: asking.idempotencyKey ?? null,
    cause: asking.cause,
    ...{ session: asking.session ?? null, workflow: asking.workflow ?? null, at: namedTime(room.options.trial, asking.at) },
  };
  const deps: Deps = { ...room.deps, capability, cancel: asking.cancel ?? neverCancelled };
  const decide = (by: Deps) => runDecision({ graph, request, deps: by, journal: room.journal, meter: room.meter });
  const ended = await room.migrating.run(request, deps, decide);
  const decisionId = ended.kind === "repeated" ? ended.decisionId : request.decisionId;
  const { view } = await room.reading.decision({ principal, decisionId });
  const { id, entryId, stop } = view;
  if (stop?.reason !== "input_invalid") return view;
  throw new CountersignError("input_invalid", `the inputs do not fit: ${stop.detail}`, { facts: { decisionId: id, entryId } });
}

async function edit(
  room: Room,
  { principal, decisionId, decision }: { principal: Principal; decisionId: string; decision: unknown },
): Promise<DecisionView> {
  const { view } = await room.reading.decision({ principal, decisionId });
  const { kept, capability } = await editable(room, { principal, decisionId });
  if (view.state !== "waiting") throw new CountersignError("not_waiting", "only what waits for a signature is edited");
  const editing: Edit = { decision, editor: principal.id, context: kept.context };
  await checkEdit(editing, capability);
  const { ids } = room.options;
  const digest = sha256Digest.sha256(canonicalJson(decision));
  const request: DecisionRequest = {
    ...kept.request,
    ...{ decisionId: ids.next(), entryId: ids.next(), cause: view.entryId },
    // The same edit sent twice is one decision.
    idempotencyKey: `edit:${decisionId}:${digest}`,
  };
  const deps = editedDeps({ ...room.deps, capability, cancel: neverCancelled }, editing);
  const { given } = kept;
  const journal = given === undefined ? room.journal : keepingGiven(room.journal, { capability, given });
  const ended = await runDecision({ graph, request, deps, journal: editedJournal(journal, editing), meter: room.meter });
  const made = ended.kind === "decided" ? request.decisionId : ended.decisionId;
  const outcome = ended.kind === "decided" ? ended.outcome : null;
  return acceptedEdit(outcome, () => room.reading.decision({ principal, decisionId: made }));
}

/** What the edit is made on, for whoever may sign it. */
async function editable(
  { options: { project, database, policy }, keys }: Room,
  { principal, decisionId }: { principal: Principal; decisionId: string },
): Promise<EditedFrom> {
  const { tenant } = principal;
  const story = await database.inSnapshot(tenant, (tx) => readDecision({ tx, tenant, decisionId, keys }));
  if (story === null) throw new CountersignError("not_found", "no decision of that id is open to you");
  const asked = { tenant, requestedBy: story.requestedBy, onBehalfOf: story.onBehalfOf, risk: null, editedBy: null };
  const ruling = policy.maySign({ principal, ...asked });
  if (ruling.kind === "refused")
    throw new CountersignError("approver_not_permitted", ruling.reason, { facts: { rule: ruling.rule } });
  const { id: entryId, kind, ts: at, cause, body: facts, bodies } = story.outcome;
  return editedFrom({ tenant, decisionId, entryId, kind, at, cause, facts, bodies }, project.capabilities);
}
