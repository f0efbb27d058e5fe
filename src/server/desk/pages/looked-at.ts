import type { Json } from "../../../contract/json.ts";
import { windowText } from "../../../contract/shown-item.ts";
import type { ShownStep } from "../evidence.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { plainName, plainValue } from "./plain.ts";

/** What a bounded loop looked at, step by step, for whoever decides with it or audits it; nothing where there was no loop. */
export function lookedAt(steps: readonly ShownStep[]): Html {
  if (steps.length === 0) return html``;
  return html`<h2>What was looked at</h2>
<div class="card"><ol class="signals">${steps.map((step) => html`<li>${stepMark(step)}<div><p><strong>${step.step}. ${nameOf(step)}</strong> ${askedFor(step)} ${cameOf(step)}</p>${foundList(step)}</div></li>`)}</ol></div>`;
}

function stepMark({ outcome }: ShownStep): Html {
  if (outcome === "read" || outcome === "final") return mark("tick", "quiet");
  return mark(outcome === "off_list" ? "warning" : "dash", outcome === "off_list" ? "wait" : "quiet");
}

function nameOf({ tool, outcome }: ShownStep): string {
  if (outcome === "no_reply") return "The model";
  return tool === null ? "An answer was given" : plainName(tool);
}

function askedFor({ tool, arguments: args }: ShownStep): string {
  if (tool === null || typeof args !== "object" || args === null) return "";
  return Object.entries(args)
    .map(([name, value]) => `${plainName(name).toLowerCase()} ${plainValue(value)}`)
    .join(", ");
}

function cameOf({ outcome, fault, found }: ShownStep): string {
  switch (outcome) {
    case "read":
      return found.length === 0 ? "found nothing." : "";
    case "failed":
      return `could not be read: ${fault ?? "no reason"}.`;
    case "off_list":
      return "is not on the list, so nothing was read.";
    case "unread":
      return "was not read: the loop had ended.";
    case "no_reply":
      return "gave no reply that could be used.";
    case "final":
      return "";
  }
}

function foundList({ found }: ShownStep): readonly Html[] {
  return found.map((item) => html`<p class="quiet">${wordsOf(item)}</p>`);
}

function wordsOf(item: ShownStep["found"][number]): string {
  switch (item.kind) {
    case "passage":
      return `${item.title} ${item.version}, ${item.section}: ${item.text}`;
    case "record":
      return `${item.title ?? item.query}: ${fieldsOf(item)}`;
    case "fact":
      return `${item.sourceTitle}: ${item.subject} ${plainName(item.predicate).toLowerCase()} ${item.object}, true ${windowText(item)}${item.isInConflict ? "; sources contradict each other" : ""}`;
    case "memory":
      return `Remembered: ${item.text}`;
  }
}

/** Every field of a row but those that are labelled secret, which show nowhere. */
function fieldsOf({ row, labels }: Extract<ShownStep["found"][number], { kind: "record" }>): string {
  return Object.entries(row)
    .filter(([field]) => labels[field] !== "secret")
    .map(([field, value]) => `${plainName(field).toLowerCase()} ${plainValue(value as Json)}`) // read from the ledger's JSON
    .join(", ");
}
