import type { ExplainedEffect, Explanation, RelatedDecision } from "../contract/explanation.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { EntryView } from "../contract/views.ts";
import { onePpm } from "../contract/words.ts";
import { moneyWords } from "./amounts.ts";
import { decisionLines } from "./print.ts";

/** Tells an explanation as a story: who asked, then each entry in the order of what was committed, then what came of it. */
export function explanationLines(explanation: Explanation): readonly string[] {
  const { decision, related, entries } = explanation;
  return [
    `decision ${decision.id} of ${decision.tenant}, as its ${explanation.sight} may read it; times are UTC`,
    "",
    ...related.map(relatedLine),
    ...(related.length === 0 ? [] : [""]),
    ...entries.flatMap((entry) => entryLines(entry, explanation)),
    "",
    ...decisionLines(decision),
  ];
}

const relations: Readonly<Record<RelatedDecision["how"], string>> = {
  follows: "it followed from decision",
  supersedes: "a person edited decision",
  followed_by: "it led to decision",
  superseded_by: "a person edited it: see decision",
  undone_by: "it was undone by decision",
};

function relatedLine({ how, decisionId }: RelatedDecision): string {
  return `${relations[how]} ${decisionId}`;
}

/** The time and the place in the chain stand before the first line of an entry; what belongs to it is indented. */
function entryLines(entry: EntryView, explanation: Explanation): readonly string[] {
  const [first = entry.kind, ...rest] = told(entry, explanation);
  const at = new Date(entry.ts).toISOString().slice(0, 19).replace("T", " ");
  const place = entry.seq === null ? "unsealed" : `#${entry.seq}`;
  return [`${at}  ${place.padEnd(8)}  ${first}`, ...rest.map((line) => `${" ".repeat(31)}${line}`)];
}

function told(entry: EntryView, explanation: Explanation): readonly string[] {
  const facts = asObject(entry.body);
  const words = { facts, bodies: asObject(facts["bodies"]), what: effectOf(facts, explanation) };
  switch (entry.kind) {
    case "decided":
    case "stopped":
      return [askedLine(explanation), outcomeLine(explanation), ...madeBy(explanation)];
    case "approved":
      return approvedLines(words);
    case "applying":
      return sendLines(words);
    case "applied":
      return [`${words.what}: the target answered${named(" with ", facts["targetId"])}; that is not yet done`];
    case "observed":
      return lookLines(words);
    default:
      return [endLine(entry.kind, words)];
  }
}

interface Words {
  readonly facts: JsonObject;
  readonly bodies: JsonObject;
  /** Which effect it is about. */
  readonly what: string;
}

function askedLine({ asked: { by, onBehalfOf, roles }, decision }: Explanation): string {
  const whom = onBehalfOf === null ? "" : ` for ${onBehalfOf}`;
  const request = decision.request === null ? "" : `: “${decision.request}”`;
  return `${by}${roles.length === 0 ? "" : ` (${roles.join(", ")})`} asked${whom}${request}`;
}

function outcomeLine({ decision }: Explanation): string {
  const { capability, capabilityVersion, label, route, rule, confidencePpm, thresholdPpm, stop } = decision;
  const who = `${capability} ${capabilityVersion}`;
  if (stop !== null) return `${who} stopped at ${stop.node || "its start"}: ${stop.reason}`;
  const sure = confidencePpm === null ? "" : `, confidence ${share(confidencePpm)}`;
  const bar =
    thresholdPpm === null ? "" : ` against ${thresholdPpm > onePpm ? "a slice that nobody opened" : share(thresholdPpm)}`;
  return `${who} decided${named(" ", label)}: ${route ?? "no route"}${named(" by ", rule)}${sure}${bar}`;
}

function madeBy({ versions, evidence, environment, spent, decision }: Explanation): readonly string[] {
  const { model, prompt, policy, calibration } = versions;
  const scripted = decision.isScripted ? " (scripted)" : "";
  const items = evidence.items ?? [];
  return [
    `model ${model ?? "unknown"}${scripted}${named(", prompt ", prompt)}${named(", policy ", policy)}${named(", calibration ", calibration)}${named(", environment ", environment)}`,
    ...(spent.sends === 0
      ? []
      : [`${spent.sends} sends, ${spent.inputTokens} tokens in, ${spent.outputTokens} out, ${moneyWords(spent.costMicros)}`]),
    `on the context ${short(evidence.contextDigest)}, proposal ${short(evidence.proposalDigest)}`,
    ...items.map(({ kind, title, version, id }) => `  ${kind} ${title}${named(" ", version)} (${id})`),
  ];
}

function approvedLines({ facts, what }: Words): readonly string[] {
  const scope = asObject(facts["subject"]);
  const who =
    facts["approverKind"] === "policy"
      ? `policy ${text(facts["approver"])}`
      : `${text(facts["approver"])}${named(" as ", facts["role"])}`;
  if (facts["approvalId"] == null) return [`${who} released the answer`];
  const until =
    typeof facts["expiresAt"] === "number"
      ? `, good until ${new Date(facts["expiresAt"]).toISOString().slice(0, 19).replace("T", " ")}`
      : "";
  return [
    `${who} allowed ${what}${until}`,
    `for params ${short(scope["paramsDigest"])} over the state before ${short(scope["beforeDigest"])}, key ${short(facts["keyId"])}`,
    ...(Array.isArray(facts["policies"]) ? [`by the policies ${facts["policies"].join(", ")} of ${text(facts["policy"])}`] : []),
  ];
}

function sendLines({ facts, what }: Words): readonly string[] {
  return [
    `${what}: sent, attempt ${String(facts["attempt"] ?? 1)}, with the credential ${text(facts["credential"]) || "unknown"} in ${text(facts["environment"])}`,
    `operation ${text(facts["operationId"])}, key ${text(facts["key"])}, generation ${String(facts["generation"] ?? 1)}, fence ${String(facts["fence"] ?? 1)}`,
  ];
}

const verdictWords: Readonly<Record<string, string>> = {
  complete: "seen by an independent read: done",
  incomplete: "seen by an independent read: not complete",
  failed: "seen by an independent read: something changed that must not have",
  unknown: "it may have happened",
};

function lookLines({ facts, bodies, what }: Words): readonly string[] {
  const verdict = verdictWords[text(facts["verdict"])] ?? "looked at";
  const joined = facts["joins"] == null ? "" : "; an earlier decision had made the same change";
  const why = [
    named("could not be read: ", facts["fault"]),
    named(facts["next"] === "compensate" ? "it is to be undone: " : "", facts["reason"]),
  ]
    .filter((part) => part !== "")
    .join(", ");
  const fields = [listed("differs: ", facts["differs"]), listed("changed besides: ", facts["forbidden"])].filter(
    (part) => part !== "",
  );
  const seen = bodies["observed"] === undefined ? [] : [`seen ${JSON.stringify(bodies["observed"])}`];
  return [`${what}: ${verdict}${joined}${why === "" ? "" : ` (${why})`}`, ...fields, ...seen];
}

function endLine(kind: EntryView["kind"], { facts, bodies, what }: Words): string {
  const by = text(facts["by"]);
  const reason = named(": ", bodies["reason"] ?? facts["reason"]);
  switch (kind) {
    case "rejected":
      return `${by} rejected it${reason}`;
    case "refused":
      return by === ""
        ? `${what}: refused, nothing was sent: ${text(facts["code"])} (${text(facts["rule"])})${named(": ", bodies["reason"])}`
        : `${by} was not let: ${text(facts["code"])}${named(" by the rule ", facts["rule"])}`;
    case "withdrawn":
      return `${by} took the signature on ${what} back`;
    case "expired":
      return facts["approvalId"] == null
        ? "nobody answered it in time, or its capability has another version"
        : `the signature on ${what} expired unused`;
    case "corrected":
      return `${by} edited it${named("; in its place stands decision ", facts["supersededBy"])}`;
    case "escalated":
      return `${what}: a person is called${named(", ", facts["owner"])}${reason}`;
    case "compensated":
      return `${what}: undone${named(" by decision ", facts["by"])}`;
    case "resolved":
      return `${by} said of ${what}: ${text(facts["outcome"])}${named(", because ", bodies["reason"])}`;
    case "erased":
      return `${facts["part"] === "inputs" ? "its inputs were" : "all that was kept of it was"} erased${facts["why"] === "request" ? `, as was asked${reason}` : ", since its days were over"}`;
    default:
      return kind;
  }
}

function effectOf(facts: JsonObject, { effects }: Explanation): string {
  const index = facts["effectIndex"];
  if (typeof index !== "number") return "it";
  const sentence = effects.find((effect: ExplainedEffect) => effect.index === index)?.sentence ?? null;
  return `effect ${index + 1}${sentence === null ? "" : ` “${sentence}”`}`;
}

function share(ppm: number): string {
  return `${(ppm / 10_000).toFixed(1)} %`;
}

/** So much of a digest as tells two apart; the whole stands in the data. */
function short(digest: Json | undefined): string {
  return typeof digest === "string" ? digest.slice(0, 12) : "none";
}

function named(before: string, value: Json | undefined): string {
  return typeof value === "string" && value !== "" ? `${before}${value}` : "";
}

function listed(before: string, value: Json | undefined): string {
  return Array.isArray(value) && value.length > 0 ? `${before}${value.join(", ")}` : "";
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function asObject(value: Json | undefined): JsonObject {
  // An object that is neither null nor a list is one with names.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
