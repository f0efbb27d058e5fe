import type { SpanAttributes } from "../contract/ports.ts";
import type { Labels } from "./figures.ts";
import { attributeOf, type Label, type Metric, type MetricName, metricList } from "./metric-list.ts";

/** One figure to be counted. */
export interface Measured {
  readonly name: MetricName;
  readonly labels: Labels;
  readonly value: number;
}

/** What a stretch of work comes to in figures, by the first word of its span's name; pure. */
export function measuresOf(called: string, attributes: SpanAttributes, seconds: number): readonly Measured[] {
  switch (called.split(" ", 1)[0]) {
    case "decide":
      return [
        figure("countersign.decision.duration", attributes, seconds),
        figure("countersign.spend", attributes, numberAt(attributes, "countersign.cost_micros")),
      ];
    case "node":
      return [figure("countersign.node.duration", attributes, seconds)];
    case "chat":
      return [figure("gen_ai.client.operation.duration", attributes, seconds), ...tokensOf(attributes), ...retriesOf(attributes)];
    case "tool":
      return [figure("countersign.tool.duration", attributes, seconds)];
    case "read":
      return [figure("countersign.read.duration", attributes, seconds)];
    case "effect":
      return [figure("countersign.effect.duration", attributes, seconds)];
    case "answer": {
      const outcome = attributes["error.type"] === undefined ? "taken" : "refused";
      return [figure("countersign.answers", { ...attributes, "countersign.outcome": outcome }, 1)];
    }
    default:
      return [];
  }
}

function figure(name: MetricName, attributes: SpanAttributes, value: number, more: Labels = {}): Measured {
  const { labels }: Metric = metricList[name];
  const own = Object.fromEntries(labels.map((label) => [label, textAt(attributes, label)]));
  return { name, labels: { ...own, ...more }, value };
}

/** The span says input with what was cached and output with reasoning, as the conventions have it; here each kind stands alone. */
function tokensOf(attributes: SpanAttributes): readonly Measured[] {
  const of = (key: string) => numberAt(attributes, key);
  const [cached, written] = [of("gen_ai.usage.cache_read.input_tokens"), of("gen_ai.usage.cache_creation.input_tokens")];
  const reasoning = of("countersign.usage.reasoning_tokens");
  const kinds = {
    input: of("gen_ai.usage.input_tokens") - cached - written,
    cache_read: cached,
    cache_write: written,
    output: of("gen_ai.usage.output_tokens") - reasoning,
    reasoning,
  };
  return Object.entries(kinds).flatMap(([kind, count]) =>
    count > 0 ? [figure("gen_ai.client.token.usage", attributes, count, { "gen_ai.token.type": kind })] : [],
  );
}

function retriesOf(attributes: SpanAttributes): readonly Measured[] {
  const isSentAgain = numberAt(attributes, "countersign.send") > 1;
  const isAskedAgain = !isSentAgain && numberAt(attributes, "countersign.attempt") > 1;
  if (!isSentAgain && !isAskedAgain) return [];
  return [figure("countersign.model.retries", attributes, 1, { retry: isSentAgain ? "no_reply" : "misfit" })];
}

function textAt(attributes: SpanAttributes, label: Label): string {
  return String(attributes[attributeOf(label)] ?? "");
}

function numberAt(attributes: SpanAttributes, key: string): number {
  const value = attributes[key];
  return typeof value === "number" ? value : 0;
}
