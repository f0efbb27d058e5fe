import type { JsonObject } from "../../../../src/contract/json.ts";
import type { EntryView } from "../../../../src/contract/views.ts";
import { resolvedOutcomes, routes, type Verdict, verdicts } from "../../../../src/contract/words.ts";
import type { Mark, Tone } from "../../parts/mark.tsx";
import { asObject } from "../../words/changes.ts";
import { resolvedWords, routeTones, verdictTones } from "../../words/states.ts";
import type { NameOf } from "../../words/steps.ts";
import { numberAt, objectAt, textAt, wordAt } from "./fields.ts";

/** One entry as a line of the chain. */
export interface ToldEntry {
  readonly mark: Mark;
  readonly tone: Tone;
  readonly sentence: string;
}

/** What an entry says, in a sentence. A square is drawn for a verdict that was read, and for nothing else. */
export function toldEntry({ kind, body }: Pick<EntryView, "kind" | "body">, nameOf: NameOf): ToldEntry {
  const facts = asObject(body);
  switch (kind) {
    case "decided":
      return decided(facts);
    case "stopped":
      return quiet("dash", `Ended without a proposal: ${textAt(objectAt(facts, "stop"), "reason").replaceAll("_", " ")}.`);
    case "approved":
      return { mark: "signed", tone: "person", sentence: `Signed by ${approverOf(facts, nameOf)}${forEffect(facts)}.` };
    case "withdrawn":
      return quiet("back", `${nameOf(textAt(facts, "by"))} took the signature back.`);
    case "expired":
      return quiet("dash", lapses[textAt(facts, "rule")] ?? "Its time ended unused.");
    case "corrected":
      return {
        mark: "pen",
        tone: "person",
        sentence: `${nameOf(textAt(facts, "by"))} edited it: another proposal stands in its place.`,
      };
    case "rejected":
      return quiet("cross", `Rejected by ${nameOf(textAt(facts, "by"))}${reasonOf(facts)}.`);
    case "resolved":
      return { mark: "signed", tone: "person", sentence: resolved(facts, nameOf) };
    case "refused":
      return quiet("dash", `Nothing was sent: ${codeOf(facts)}.`);
    case "erased":
      return quiet("dash", erased(facts));
    case "restored":
      return quiet("dash", "The ledger was restored from a backup.");
    default:
      return acted(kind, facts);
  }
}

function acted(kind: EntryView["kind"], facts: JsonObject): ToldEntry {
  switch (kind) {
    case "applying":
      return { mark: "applying", tone: "person", sentence: sendWords(facts) };
    case "applied":
      return { mark: "applying", tone: "person", sentence: "The target answered. Not seen yet." };
    case "observed":
      return observed(facts);
    case "compensated":
      return quiet("back", "Undone, and seen to be.");
    default:
      return { mark: "warning", tone: "stop", sentence: `Left to people${reasonOf(facts)}.` };
  }
}

function decided(facts: JsonObject): ToldEntry {
  const route = wordAt(facts, "route", routes) ?? "reject";
  const digest = textAt(facts, "proposalDigest");
  const frozen = digest === "" ? "" : ` Proposal frozen, digest ${digest.slice(0, 4)}…${digest.slice(-4)}.`;
  return { mark: route, tone: routeTones[route], sentence: `${route} by the rule ${textAt(facts, "rule")}.${frozen}` };
}

function sendWords(facts: JsonObject): string {
  const key = textAt(facts, "key");
  const fence = numberAt(facts, "fence");
  const attempt = numberAt(facts, "attempt");
  const words = [
    ...(key === "" ? [] : [`key ${key}`]),
    ...(fence === null ? [] : [`fence ${fence}`]),
    ...(attempt === null || attempt < 2 ? [] : [`attempt ${attempt}`]),
  ];
  return words.length === 0 ? "Sent to the target." : `Sent to the target: ${words.join(", ")}.`;
}

const verdictWords: Readonly<Record<Verdict, string>> = {
  complete: "A separate read saw all of it: complete.",
  incomplete: "A separate read saw a part of it: incomplete. It is looked at again.",
  failed: "A separate read did not find the change: failed.",
  unknown: "Unknown: it may have happened. Nothing is sent again before it was looked at.",
};

function observed(facts: JsonObject): ToldEntry {
  const verdict = wordAt(facts, "verdict", verdicts);
  if (verdict === null) return quiet("dash", "Looked at.");
  return { mark: verdict, tone: verdictTones[verdict], sentence: verdictWords[verdict] };
}

function resolved(facts: JsonObject, nameOf: NameOf): string {
  const outcome = wordAt(facts, "outcome", resolvedOutcomes);
  const evidence = textAt(objectAt(facts, "bodies"), "evidence");
  const found = outcome === null ? "" : `: ${resolvedWords[outcome].told}`;
  return `${nameOf(textAt(facts, "by"))} said what became of it${found}${reasonOf(facts)}.${evidence === "" ? "" : ` Seen: “${evidence}”.`}`;
}

function erased(facts: JsonObject): string {
  const what = facts["part"] === "inputs" ? "The inputs were erased" : "All that was kept of it was erased";
  return `${what}, ${facts["why"] === "request" ? "as was asked" : "since its days were over"}. The ledger stays valid.`;
}

const lapses: Readonly<Record<string, string>> = {
  waiting_time: "Nobody signed in time.",
  capability_version: "It lapsed: its capability has another version.",
};

function codeOf(facts: JsonObject): string {
  return textAt(facts, "code").replaceAll("_", " ");
}

function approverOf(facts: JsonObject, nameOf: NameOf): string {
  if (facts["approverKind"] !== "policy") return nameOf(textAt(facts, "approver"));
  const { policies } = facts;
  const names = Array.isArray(policies) ? policies.filter((one) => typeof one === "string") : [];
  return `policy ${names.length === 0 ? textAt(facts, "approver") : names.join(", ")}`;
}

function forEffect(facts: JsonObject): string {
  const index = numberAt(facts, "effectIndex");
  return index === null ? "" : `, for effect ${index + 1}`;
}

/** Why, in the words of whoever said it; nothing where it is not kept any more. */
function reasonOf(facts: JsonObject): string {
  const reason = textAt(objectAt(facts, "bodies"), "reason");
  const code = textAt(facts, "reason");
  if (reason !== "") return `: “${reason}”`;
  return code === "" ? "" : `: ${code.replaceAll("_", " ")}`;
}

function quiet(mark: Mark, sentence: string): ToldEntry {
  return { mark, tone: "quiet", sentence };
}
