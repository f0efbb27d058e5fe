import { hash } from "node:crypto";
import type { EvalRun } from "../../eval-run.ts";
import type { GateResult } from "../../gate/finding.ts";
import { type Figures, figuresOf, latenciesOf, type MetricFigure, reliabilityOf } from "../figures.ts";
import { placeOf } from "../place-of.ts";
import { counted, findingFigure, instant, money, share, time } from "../words.ts";
import { allCases, failingCases } from "./case-parts.ts";
import { changedCases } from "./changed-cases.ts";
import { html, type Markup, ownText, pageText } from "./markup.ts";
import { latencyPlot, metricPlot, reliabilityPlot } from "./plots.ts";
import { style } from "./style.ts";

/**
 * A run as one HTML file that needs nothing outside itself and runs no script: figures, plots, every failing case with its traces, and
 * with a second run what changed against it. Everything of a case, a model or a record in it is escaped text.
 */
export function htmlReport({
  run,
  gate,
  baseline = null,
}: {
  run: EvalRun;
  gate: GateResult | null;
  baseline?: EvalRun | null;
}): string {
  const figures = figuresOf(run);
  const before = baseline === null ? null : figuresOf(baseline);
  const reliability = reliabilityOf(run);
  const latencies = latenciesOf(run.cases);
  const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">
<title>${run.project}: eval run ${instant(run.startedAt)}</title><style>${ownText(style)}</style></head>
<body><main>
${head(run, { gate, figures })}
${gate === null ? null : gatePart(gate)}
${baseline === null ? null : changedCases(run, baseline)}
${run.cases.length === 0 ? null : html`<h2>Plots</h2><div class="plots">${metricPlot(figures.metrics, before?.metrics ?? null)}${latencies.length === 0 ? null : latencyPlot(latencies)}${reliability.count === 0 ? null : reliabilityPlot(reliability)}</div>`}
${failingCases(run.cases.filter(({ passed }) => !passed))}
${capabilityPart(figures, run)}
${metricPart(figures.metrics, before?.metrics ?? null)}
${allCases(run.cases)}
</main></body></html>
`;
  return pageText(page);
}

function head(run: EvalRun, { gate, figures: { totals, latency } }: { gate: GateResult | null; figures: Figures }): Markup {
  const cards: readonly (readonly [string, string])[] = [
    [`${totals.passedCases} of ${totals.cases}`, "eval cases passed"],
    [`${totals.passedRepeats} of ${totals.repeats}`, "repeats passed"],
    [String(totals.faultedRepeats), "repeats broke"],
    [time(latency.p50Ms), "half took at most"],
    [time(latency.p90Ms), "nine of ten took at most"],
    [money(totals.costMicros), `cost, ${totals.tokens} tokens`],
  ];
  const chip =
    gate === null
      ? html`<span class="chip quiet">no gate asked</span>`
      : gate.passed
        ? html`<span class="chip passed">gate passed</span>`
        : html`<span class="chip failed">gate failed</span>`;
  return html`<div class="head"><h1>${run.project}</h1>${chip}${totals.isScripted ? html`<span class="chip quiet">scripted replies, no model</span>` : null}</div>
<p class="meta">Eval run <code>${run.id}</code>, ${instant(run.startedAt)}, took ${time(run.endedAt - run.startedAt)}; ${counted(run.repeats, "repeat")} each; a case of quality passes from ${share(run.passRate)} of its repeats, one of safety if every repeat passes; set <code>${run.setDigest.slice(0, 16)}</code></p>
${totals.cases === 0 ? html`<p>Nothing was run: the set is empty.</p>` : null}
<div class="cards">${cards.map(([figure, words]) => html`<div class="card"><b>${figure}</b><span>${words}</span></div>`)}</div>`;
}

/** What failed first; what holds is one line each, closed where there is much of it. */
function gatePart({ findings }: GateResult): Markup {
  const failed = findings.filter(({ passed }) => !passed);
  const held = findings.filter(({ passed }) => passed);
  const table = (rows: readonly GateResult["findings"][number][]): Markup =>
    html`<div class="wide"><table><thead><tr><th>Rule</th><th>Of what</th><th class="num">Value</th><th class="num">Floor</th><th>Why</th></tr></thead><tbody>${rows.map(
      (one) =>
        html`<tr><td>${one.rule}</td><td class="name">${placeOf(one)}</td><td class="num">${findingFigure(one, one.value)}</td><td class="num">${findingFigure(one, one.floor)}</td><td class="why">${one.why}</td></tr>`,
    )}</tbody></table></div>`;
  return html`<h2>Gate</h2>${failed.length === 0 ? null : table(failed)}${
    held.length === 0
      ? null
      : html`<details><summary>${held.length} of ${findings.length} rules hold</summary>${table(held)}</details>`
  }`;
}

function capabilityPart({ capabilities }: Figures, run: EvalRun): Markup {
  if (capabilities.length === 0) return html``;
  const rows = capabilities.map((one) => {
    const of = run.capabilities[one.capability];
    return html`<tr><td class="name">${one.capability}</td><td>${of?.version ?? "-"}</td><td>${of?.prompt ?? "-"}</td><td class="name">${of?.model ?? "-"}</td><td class="num">${one.passedCases}/${one.cases}</td><td class="num">${one.passedRepeats}/${one.repeats}</td><td class="num">${time(one.latency.p50Ms)}</td><td class="num">${time(one.latency.p90Ms)}</td><td class="num">${money(one.costMicros)}</td></tr>`;
  });
  return html`<h2>Capabilities</h2><div class="wide"><table><thead><tr><th>Capability</th><th>Version</th><th>Prompt</th><th>Model</th><th class="num">Cases</th><th class="num">Repeats</th><th class="num">p50</th><th class="num">p90</th><th class="num">Cost</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function metricPart(metrics: readonly MetricFigure[], before: readonly MetricFigure[] | null): Markup {
  if (metrics.length === 0) return html``;
  const rows = metrics.map((one) => {
    const was = before?.find(({ metric }) => metric === one.metric)?.mean ?? null;
    return html`<tr><td class="name">${one.metric}</td><td class="num">${share(one.mean)}</td>${before === null ? null : html`<td class="num">${share(was)}</td>`}<td class="num">${share(one.passRate)}</td><td class="num">${one.failed}</td><td class="num">${one.asked}</td><td class="num">${one.asked - one.valued}</td></tr>`;
  });
  return html`<h2>Metrics</h2><div class="wide"><table><thead><tr><th>Metric</th><th class="num">Mean</th>${before === null ? null : html`<th class="num">Mean before</th>`}<th class="num">Passed</th><th class="num">Failed</th><th class="num">Scores</th><th class="num">Without a value</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
