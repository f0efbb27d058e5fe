/** What is measured. Closed: nothing else is counted, and a dashboard may name nothing else. */

/** What a figure is counted apart by; each value is of a list that is known when a process starts. */
export type Label =
  | "answer"
  | "capability"
  | "effect"
  | "error.type"
  | "gen_ai.operation.name"
  | "gen_ai.provider.name"
  | "gen_ai.request.model"
  | "gen_ai.token.type"
  | "look"
  | "node"
  | "outcome"
  | "process"
  | "query"
  | "queue"
  | "read"
  | "retry"
  | "route"
  | "source"
  | "stop"
  | "tool";

/** One figure. Times are in seconds and money in millionths of a currency unit, as `unit` says. */
export interface Metric {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly unit: "s" | "1" | "micros" | "{token}";
  readonly says: string;
  readonly labels: readonly Label[];
}

const model = ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model"] as const;

/** Every figure by its name in OpenTelemetry; `promName` gives the one in Prometheus. */
export const metricList = {
  "countersign.decision.duration": {
    kind: "histogram",
    unit: "s",
    says: "Time of a decision from its first node to its last, with how it ended.",
    labels: ["capability", "outcome", "route", "stop"],
  },
  "countersign.node.duration": {
    kind: "histogram",
    unit: "s",
    says: "Time of one node, with the reason where it stopped the decision.",
    labels: ["node", "stop"],
  },
  "countersign.spend": {
    kind: "counter",
    unit: "micros",
    says: "Cost of the requests to models of decisions that were walked to their end.",
    labels: ["capability"],
  },
  "gen_ai.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    says: "Time of one request to a model, with its class of error where no reply came.",
    labels: [...model, "error.type"],
  },
  "gen_ai.client.token.usage": {
    kind: "counter",
    unit: "{token}",
    says: "Tokens of requests to models by kind; none of the kinds counts another's.",
    labels: [...model, "gen_ai.token.type"],
  },
  "countersign.model.retries": {
    kind: "counter",
    unit: "1",
    says: "Requests that were sent again because no reply came, or asked again because a reply did not fit.",
    labels: ["gen_ai.provider.name", "gen_ai.request.model", "retry"],
  },
  "countersign.tool.duration": {
    kind: "histogram",
    unit: "s",
    says: "Time of one call of a tool in a loop, with its class of error where it brought nothing.",
    labels: ["tool", "error.type"],
  },
  "countersign.read.duration": {
    kind: "histogram",
    unit: "s",
    says: "Time of one search or query of context.",
    labels: ["read", "query", "error.type"],
  },
  "countersign.effect.duration": {
    kind: "histogram",
    unit: "s",
    says: "Time of one send of an effect or of the separate look after it, with what came of it.",
    labels: ["effect", "look", "outcome"],
  },
  "countersign.answers": {
    kind: "counter",
    unit: "1",
    says: "Answers of people to what waited for them; agreement is the part that is `approve`.",
    labels: ["answer", "outcome"],
  },
  "countersign.queue.age": {
    kind: "gauge",
    unit: "s",
    says: "How long the oldest of a queue is overdue; the highest of all tenants.",
    labels: ["queue"],
  },
  "countersign.queue.length": {
    kind: "gauge",
    unit: "1",
    says: "How many are in a queue, of all tenants together.",
    labels: ["queue"],
  },
  "countersign.seal.lag": {
    kind: "gauge",
    unit: "s",
    says: "Age of the oldest entry without a seal; the highest of all tenants.",
    labels: [],
  },
  "countersign.index.lag": {
    kind: "gauge",
    unit: "s",
    says: "How old the instant is that the index of a document source is good for; the highest of all tenants.",
    labels: ["source"],
  },
  "countersign.scrape.failed": {
    kind: "gauge",
    unit: "1",
    says: "1 where the queues could not be read for this answer; their figures are left out then.",
    labels: [],
  },
  "countersign.process.up": {
    kind: "gauge",
    unit: "1",
    says: "1 while the process answers.",
    labels: ["process"],
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** The name of a figure. */
export type MetricName = keyof typeof metricList;

/** Upper bounds of the buckets of histograms, in seconds: p50 and p95 are read off them. */
export const bucketsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** The name of a figure in Prometheus: unit and kind go last, by its conventions. */
export function promName(name: MetricName): string {
  const { kind, unit }: Metric = metricList[name];
  const units = { s: "_seconds", micros: "_micros", "{token}": "", "1": "" }[unit];
  return `${name.replaceAll(".", "_")}${units}${kind === "counter" ? "_total" : ""}`;
}

/** A label in Prometheus. */
export function promLabel(label: Label): string {
  return label.replaceAll(".", "_");
}

/** A label as an attribute in OpenTelemetry: as it stands on spans. */
export function attributeOf(label: Label): string {
  return label.startsWith("gen_ai.") || label === "error.type" ? label : `countersign.${label}`;
}
