import type { Json, JsonObject } from "../../../contract/json.ts";
import type { EntryView } from "../../../contract/views.ts";
import { type Route, resolvedOutcomes, routes, type Verdict, verdicts } from "../../../contract/words.ts";
import { type Html, html } from "./html.ts";
import { type Mark, mark, type Tone } from "./marks.ts";
import type { NameOf } from "./steps.ts";
import { time } from "./times.ts";
import { resolvedWords, routeTones } from "./words.ts";

/** The entries of one decision in their order: place in the chain, time, mark, what happened, who wrote it. */
export function storyList({ story, nameOf, now }: { story: readonly EntryView[]; nameOf: NameOf; now: number }): Html {
  return html`<ol class="story">${story.map((entry) => {
    const { name, tone, sentence } = told(entry, nameOf);
    return html`<li><span class="seq">${entry.seq ?? html`<span title="not sealed yet">…</span>`}</span> <span class="meta">${time(entry.ts, now)}</span> ${mark(name, tone)}
<span class="what"><strong>${entry.kind}</strong> ${sentence}</span> <span class="meta">${entry.writer}</span></li>`;
  })}</ol>`;
}

interface Told {
  readonly name: Mark;
  readonly tone: Tone;
  readonly sentence: string;
}

function told({ kind, body }: EntryView, nameOf: NameOf): Told {
  const facts = asObject(body);
  switch (kind) {
    case "decided": {
      const route = wordOf(facts["route"], routes) ?? "reject";
      return { name: route, tone: routeTones[route satisfies Route], sentence: `${route}, by the rule ${text(facts["rule"])}` };
    }
    case "stopped":
      return { name: "dash", tone: "quiet", sentence: text(asObject(facts["stop"] ?? null)["reason"]) };
    case "approved":
      return { name: "signed", tone: "person", sentence: listed(effectOf(facts), `by ${approverOf(facts, nameOf)}`) };
    case "withdrawn":
      return { name: "back", tone: "quiet", sentence: listed(effectOf(facts), `by ${nameOf(text(facts["by"]))}`) };
    case "expired":
      return { name: "dash", tone: "quiet", sentence: listed(effectOf(facts), lapses[text(facts["rule"])] ?? "unused") };
    case "corrected":
      return { name: "pen", tone: "person", sentence: `edited by ${nameOf(text(facts["by"]))}` };
    case "rejected":
      return { name: "cross", tone: "quiet", sentence: listed(`by ${nameOf(text(facts["by"]))}`, reasonOf(facts)) };
    case "applying":
    case "applied":
      return { name: "applying", tone: "person", sentence: listed(effectOf(facts), kind === "applied" ? "not seen yet" : "") };
    case "observed":
      return observed(facts);
    case "compensated":
      return { name: "back", tone: "quiet", sentence: effectOf(facts) };
    case "escalated":
      return { name: "warning", tone: "stop", sentence: effectOf(facts) };
    case "resolved":
      return { name: "signed", tone: "person", sentence: resolved(facts, nameOf) };
    case "refused":
      return { name: "dash", tone: "quiet", sentence: listed(effectOf(facts), text(facts["code"]), "nothing was sent") };
    case "erased":
      return { name: "dash", tone: "quiet", sentence: erased(facts) };
    default:
      return { name: "dash", tone: "quiet", sentence: "" };
  }
}

function erased(facts: JsonObject): string {
  const what = facts["part"] === "inputs" ? "the inputs" : "all that was kept of it";
  return listed(what, facts["why"] === "request" ? "as was asked" : "its days were over");
}

const lapses: Readonly<Record<string, string>> = {
  waiting_time: "nobody signed in time",
  capability_version: "its capability has another version",
};

const verdictTones: Readonly<Record<Verdict, Tone>> = {
  complete: "done",
  incomplete: "wait",
  failed: "stop",
  unknown: "unknown",
};

/** A square is drawn for a verdict that was read, and for nothing else. */
function observed(facts: JsonObject): Told {
  const verdict = wordOf(facts["verdict"], verdicts);
  if (verdict === null) return { name: "dash", tone: "quiet", sentence: effectOf(facts) };
  return { name: verdict, tone: verdictTones[verdict], sentence: listed(effectOf(facts), verdict) };
}

function resolved(facts: JsonObject, nameOf: NameOf): string {
  const outcome = wordOf(facts["outcome"], resolvedOutcomes);
  const evidence = text(asObject(facts["bodies"] ?? null)["evidence"]);
  return listed(
    ...[effectOf(facts), outcome === null ? "" : resolvedWords[outcome].told, `by ${nameOf(text(facts["by"]))}`],
    ...[reasonOf(facts), evidence === "" ? "" : `seen: “${evidence}”`],
  );
}

function approverOf(facts: JsonObject, nameOf: NameOf): string {
  return facts["approverKind"] === "policy" ? `policy ${text(facts["approver"])}` : nameOf(text(facts["approver"]));
}

function effectOf({ effectIndex }: JsonObject): string {
  return typeof effectIndex === "number" ? `effect ${effectIndex + 1}` : "";
}

/** Why, in the words of whoever rejected or ended it; nothing where it is not kept any more. */
function reasonOf({ bodies }: JsonObject): string {
  const reason = text(asObject(bodies ?? null)["reason"]);
  return reason === "" ? "" : `“${reason}”`;
}

function listed(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function wordOf<W extends string>(value: Json | undefined, words: readonly W[]): W | null {
  return words.find((word) => word === value) ?? null;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function asObject(value: Json): JsonObject {
  // An object that is neither null nor a list is one with names.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
