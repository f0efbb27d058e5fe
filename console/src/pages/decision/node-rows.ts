import type { JsonObject } from "../../../../src/contract/json.ts";
import type { NodeName } from "../../../../src/contract/words.ts";
import { counted, plainName, plainShare } from "../../words/plain.ts";
import { confidenceWords, ruleWords } from "../../words/states.ts";
import { listAt, numberAt, objectAt, textAt } from "./fields.ts";
import { bodiesOf, factsOf, type NodesOf } from "./nodes.ts";

/** One line of what a node added. */
export interface NodeRow {
  readonly name: string;
  readonly words: string;
  /** The words are a name or a digest. */
  readonly isCode?: boolean;
}

/** What a node added, as far as it was kept and is told to this reader. */
export function nodeRows(name: NodeName, of: NodesOf): readonly NodeRow[] {
  return (rows[name]?.(of) ?? []).filter(({ words }) => words !== "");
}

const rows: Partial<Record<NodeName, (of: NodesOf) => readonly NodeRow[]>> = {
  entry: ({ told }) => [
    { name: "Capability", words: `${told.decision.capability} v${told.decision.capabilityVersion}` },
    { name: "Inputs", words: told.asked.inputsHash ?? "", isCode: true },
    { name: "Roles", words: told.asked.roles.join(", ") },
    { name: "Environment", words: told.environment ?? "" },
  ],
  pre_check: ({ told }) => [
    { name: "Allowed by", words: namesIn(objectAt(factsOf(told), "policies"), "use"), isCode: true },
    { name: "Policies", words: told.versions.policy ?? "", isCode: true },
  ],
  context_load: (of) => contextRows(of),
  llm_decision: ({ told }) => [
    { name: "Model", words: modelWords(told.decision.model), isCode: told.decision.model !== "none" },
    { name: "Prompt", words: told.versions.prompt === "none" ? "" : (told.versions.prompt ?? "") },
    { name: "Label", words: told.decision.label ?? "" },
    { name: "Trace of the loop", words: told.evidence.loopDigest ?? "", isCode: true },
  ],
  output_guardrail: ({ told }) => [{ name: "Replaced before it was sent", words: replacedWords(factsOf(told)) }],
  judge: ({ told }) => judgeRows(objectAt(bodiesOf(told), "judged")),
  confidence_compose: ({ told, evidence }) => [
    { name: "Confidence", words: confidenceWords(told.decision) },
    { name: "Calibration", words: told.versions.calibration ?? "" },
    ...(evidence?.signals ?? []).map(({ name, ppm, weightPpm }) => ({
      name: plainName(name),
      words: `${plainShare(ppm)}, weight ${plainShare(weightPpm)}`,
    })),
  ],
  routing: ({ told, told: { decision } }) => [
    { name: "Route", words: decision.route ?? "" },
    { name: "Rule", words: decision.rule === null ? "" : `${decision.rule}: ${ruleWords(decision.rule, decision.thresholdPpm)}` },
    ...decision.loweredBy.map((rule) => ({ name: "Lowered by", words: `${rule}: ${ruleWords(rule, decision.thresholdPpm)}` })),
    { name: "Slice", words: textAt(factsOf(told), "slice") },
  ],
  prepare_proposal: ({ told: { decision } }) => [
    { name: "Summary", words: decision.summary ?? "" },
    { name: "Effects", words: decision.effects.length === 0 ? "" : counted(decision.effects.length, "effect") },
    { name: "Claims", words: decision.claims.length === 0 ? "" : counted(decision.claims.length, "claim") },
    { name: "Left out", words: decision.droppedClaims.length === 0 ? "" : counted(decision.droppedClaims.length, "claim") },
    { name: "Digest", words: decision.proposalDigest ?? "", isCode: true },
  ],
  memory_write: ({ told }) => notesOf(bodiesOf(told)),
  exit: ({ told }) => [{ name: "Entry", words: told.decision.entryId, isCode: true }],
};

function contextRows({ told, evidence }: NodesOf): readonly NodeRow[] {
  const items = told.evidence.items ?? [];
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const left = listAt(objectAt(bodiesOf(told), "activity"), "leftOut");
  return [
    {
      name: "Loaded",
      words: kinds.map((kind) => counted(items.filter((item) => item.kind === kind).length, kind, manyOf[kind])).join(", "),
    },
    {
      name: "Shown below",
      words:
        items.length === 0 && evidence !== undefined && evidence.items.length > 0 ? counted(evidence.items.length, "source") : "",
    },
    { name: "Left out", words: left === null || left.length === 0 ? "" : counted(left.length, "piece") },
    { name: "Digest", words: told.evidence.contextDigest ?? "", isCode: true },
  ];
}

const manyOf = { passage: "passages", record: "records", fact: "facts", memory: "memories" } as const;

function modelWords(model: string): string {
  return model === "none" ? "none was asked" : model;
}

function namesIn(body: JsonObject, name: string): string {
  const value = body[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join(", ") : "";
}

function replacedWords(facts: JsonObject): string {
  const replaced = objectAt(objectAt(facts, "privacy"), "replaced");
  const words = Object.keys(replaced).map((of) => {
    const counts = Object.values(objectAt(replaced, of)).filter((count) => typeof count === "number");
    return `${counts.reduce((sum, count) => sum + count, 0)} of ${plainName(of).toLowerCase()}`;
  });
  return words.join(", ");
}

function judgeRows(judged: JsonObject): readonly NodeRow[] {
  if (judged["kind"] === "not_sampled") return [{ name: "Second reader", words: "was not asked for this one" }];
  const ppm = numberAt(judged, "ppm");
  return [
    { name: "Second reader", words: ppm === null ? textAt(judged, "problem") : plainShare(ppm) },
    { name: "Reason", words: textAt(judged, "reason") },
  ];
}

function notesOf(bodies: JsonObject): readonly NodeRow[] {
  const notes = bodies["notes"];
  return Array.isArray(notes) ? notes.filter((note) => typeof note === "string").map((words) => ({ name: "Note", words })) : [];
}
