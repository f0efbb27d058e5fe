import type { DecisionView } from "../../../contract/views.ts";
import type { Check } from "../evidence.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { counted, plainName } from "./plain.ts";
import { confidenceWords, isDoubt, ruleWords } from "./words.ts";

/** What is unsure about a proposal, doubts first, one sentence each; the last line sums up the rest with the one confidence number. */
export function signalList(view: DecisionView, checks: readonly Check[]): Html {
  const doubts = doubtsOf(view, checks);
  const passed = checks.filter((check) => check.passed).length;
  const rest = [
    doubts.length === 0 ? "Nothing is unsure by our checks." : "Nothing else.",
    ...(checks.length === 0 ? [] : [`${passed} of ${counted(checks.length, "check")} passed.`]),
    ...(view.rule === null || isDoubt(view.rule, view.thresholdPpm) ? [] : [ruleWords(view.rule, view.thresholdPpm)]),
    ...view.loweredBy.filter((rule) => !isDoubt(rule, view.thresholdPpm)).map((rule) => ruleWords(rule, view.thresholdPpm)),
    confidenceWords(view),
  ];
  return html`<ul class="signals">
${doubts.map(({ title, detail }) => html`<li>${mark("warning", "wait")}<p><strong>${title}</strong> ${detail}</p></li>`)}
<li>${mark("dash", "quiet")}<p class="quiet">${rest.join(" ")}</p></li>
</ul>`;
}

/** The doubts about a proposal as sentences; empty where there are none. */
function doubtsOf(view: DecisionView, checks: readonly Check[]): readonly { title: string; detail: string }[] {
  const rules = [...(view.rule === null ? [] : [view.rule]), ...view.loweredBy].filter((rule) =>
    isDoubt(rule, view.thresholdPpm),
  );
  const read = view.effects.flatMap((effect) =>
    Object.entries(effect.sources)
      .filter(([, source]) => source.untrustedInContext && (source.kind === "model" || source.chosenBy === "model"))
      .map(([pointer]) => plainName(pointer.slice(1)).toLowerCase()),
  );
  return [
    ...checks
      .filter((check) => !check.passed)
      .map((check) => ({ title: `${plainName(check.name)} did not pass.`, detail: sentence(check.evidence) })),
    ...rules.map((rule) => ({ title: ruleWords(rule, view.thresholdPpm), detail: "" })),
    ...view.droppedClaims.map((claim) => ({ title: "A statement was left out.", detail: `“${claim.text}”: ${claim.reason}.` })),
    ...(read.length === 0
      ? []
      : [{ title: "The model chose after reading outside text.", detail: `It chose: ${[...new Set(read)].join(", ")}.` }]),
  ];
}

function sentence(text: string): string {
  if (text === "") return "";
  return `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
