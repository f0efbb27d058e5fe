/** Plots as SVG that stands in the page itself: no script, no style attribute, each with its figures in words. */
import type { MetricFigure, Reliability } from "../figures.ts";
import { counted, share, time } from "../words.ts";
import { html, type Markup } from "./markup.ts";

const width = 480;

/** The share of repeats that passed for each metric, the worst first; a line where a second run had been. */
export function metricPlot(metrics: readonly MetricFigure[], before: readonly MetricFigure[] | null): Markup {
  const ruled = metrics.flatMap(({ metric, passRate }) => (passRate === null ? [] : [{ metric, passRate }]));
  const rows = ruled.sort((a, b) => a.passRate - b.passRate || (a.metric < b.metric ? -1 : 1)).slice(0, mostBars);
  const [left, row] = [208, 24];
  const scale = width - left - 56;
  const bars = rows.map(({ metric, passRate }, place) => {
    const was = before?.find((one) => one.metric === metric)?.passRate ?? null;
    const y = place * row;
    return html`<text x="${left - 8}" y="${y + 16}" text-anchor="end">${clipped(metric)}</text>
<rect class="ground" x="${left}" y="${y + 4}" width="${scale}" height="16"/>
<rect class="${passRate < 1 ? "low" : "fill"}" x="${left}" y="${y + 4}" width="${rounded(scale * passRate)}" height="16"/>
${was === null ? null : html`<line class="before" x1="${rounded(left + scale * was)}" x2="${rounded(left + scale * was)}" y1="${y + 2}" y2="${y + 22}"/>`}
<text class="value" x="${width}" y="${y + 16}" text-anchor="end">${share(passRate)}</text>`;
  });
  const more = ruled.length - rows.length;
  const note = `Share of repeats that passed, the lowest first.${more > 0 ? ` ${more} more are in the table.` : ""}${
    before === null ? "" : " The line is the run that it is compared with."
  }`;
  return figure({ title: "Pass rate per metric", note, height: Math.max(row, rows.length * row), content: bars });
}

const mostBars = 24;

/** How long repeats took, in bins of equal width. */
export function latencyPlot(latencies: readonly number[]): Markup {
  const [plotHeight, bins] = [160, 20];
  const [least, most] = [latencies[0] ?? 0, latencies.at(-1) ?? 0];
  const step = Math.max(1, (most - least) / bins);
  const counts = Array.from({ length: bins }, () => 0);
  for (const ms of latencies) {
    const place = Math.min(bins - 1, Math.floor((ms - least) / step));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const highest = Math.max(1, ...counts);
  const [left, bar] = [32, (width - 40) / bins];
  const bars = counts.map((count, place) => {
    const height = (plotHeight - 24) * (count / highest);
    const label = `${time(least + place * step)} to ${time(least + (place + 1) * step)}: ${count}`;
    return html`<rect class="fill" x="${rounded(left + place * bar)}" y="${rounded(plotHeight - height)}" width="${rounded(bar - 1)}" height="${rounded(height)}"><title>${label}</title></rect>`;
  });
  const axis = html`<line class="axis" x1="${left}" x2="${width - 8}" y1="${plotHeight}" y2="${plotHeight}"/>
<text x="${left - 6}" y="34" text-anchor="end">${highest}</text><text x="${left - 6}" y="${plotHeight}" text-anchor="end">0</text>
<text x="${left}" y="${plotHeight + 18}">${time(least)}</text><text x="${width - 8}" y="${plotHeight + 18}" text-anchor="end">${time(least + bins * step)}</text>`;
  const note = `${counted(latencies.length, "repeat")} that did not break, by how long they took.`;
  return figure({ title: "Latency", note, height: plotHeight + 24, content: [...bars, axis] });
}

/** Confidence against the share that passed, with how many repeats stand behind each point. */
export function reliabilityPlot({ bins, count, error }: Reliability): Markup {
  const [left, top, size] = [40, 8, 240];
  const at = (value: number): number => rounded(left + value * size);
  const up = (value: number): number => rounded(top + (1 - value) * size);
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const points = bins.flatMap(({ count: of, meanConfidence, passRate, from }) =>
    meanConfidence === null || passRate === null ? [] : [{ of, x: meanConfidence, y: passRate, from }],
  );
  const grid = [0, 0.5, 1].map(
    (value) => html`<line class="axis" x1="${left}" x2="${left + size}" y1="${up(value)}" y2="${up(value)}"/>
<text x="${left - 8}" y="${up(value) + 4}" text-anchor="end">${value}</text><text x="${at(value)}" y="${top + size + 18}" text-anchor="middle">${value}</text>`,
  );
  const columns = bins.map(({ count: of, from }) => {
    const height = (size / 4) * (of / most);
    return html`<rect class="count" x="${rounded(at(from) + 1)}" y="${rounded(top + size - height)}" width="${rounded(size / bins.length - 2)}" height="${rounded(height)}"/>`;
  });
  const path = points.map(({ x, y }) => `${at(x)},${up(y)}`).join(" ");
  const dots = points.map(
    ({ of, x, y }) =>
      html`<circle class="dot" cx="${at(x)}" cy="${up(y)}" r="4"><title>${`confidence ${share(x)}, passed ${share(y)}, ${counted(of, "repeat")}`}</title></circle>`,
  );
  const legend = points.map(
    ({ of, x, y }, place) => html`<text x="304" y="${44 + place * 20}">${share(x)}: ${share(y)} of ${of}</text>`,
  );
  const content = [
    ...grid,
    ...columns,
    html`<line class="ideal" x1="${at(0)}" y1="${up(0)}" x2="${at(1)}" y2="${up(1)}"/><polyline class="link" points="${path}"/>`,
    ...dots,
    html`<text x="304" y="20">Confidence: passed</text>`,
    ...legend,
  ];
  const note = `Confidence (across) against the share that passed (up), ${counted(count, "repeat")}; bars are counts. On the dashed line confidence is right. Expected calibration error ${share(error)}.`;
  return figure({ title: "Reliability", note, height: top + size + 24, content });
}

function figure({
  title,
  note,
  height,
  content,
}: {
  title: string;
  note: string;
  height: number;
  content: readonly Markup[];
}): Markup {
  return html`<section class="plot"><h3>${title}</h3><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${`${title}. ${note}`}">${content}</svg><p class="meta">${note}</p></section>
`;
}

function clipped(text: string): string {
  return text.length > 32 ? `${text.slice(0, 31)}…` : text;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
