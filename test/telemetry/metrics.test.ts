import { metrics } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/store/clock.ts";
import { bucketsS } from "../../src/telemetry/metric-list.ts";
import { openTelemetry, type Telemetry } from "../../src/telemetry/telemetry.ts";
import { decidedBy, replied, secrets } from "./decide-watched.ts";

const names = { capabilities: ["days"], models: [{ provider: "local", id: "qwen2.5-7b-instruct" }] };
type Opening = Parameters<typeof openTelemetry>[0];
const open = (own: Partial<Opening> = {}): Telemetry =>
  openTelemetry({ process: "serve", names, gauges: async () => [], isRead: true, now: systemClock.monotonic, ...own });

afterEach(() => metrics.disable());

describe("what a process measures", () => {
  it("is nothing where nobody reads and no SDK is registered", () => {
    expect(open({ isRead: false }).spans).toBeNull();
  });

  it("counts decisions, nodes, requests, their errors, tokens and what was asked again", async () => {
    const { spans, text } = open();
    await decidedBy({ answers: [{ kind: "error", status: 503 }, replied(secrets.refused), replied(secrets.reply)], spans });
    const lines = (await text()).split("\n");
    const request = 'gen_ai_operation_name="chat",gen_ai_provider_name="local",gen_ai_request_model="qwen2.5-7b-instruct"';
    expect(lines).toEqual(
      expect.arrayContaining([
        'countersign_decision_duration_seconds_count{capability="days",outcome="decided",route="auto",stop=""} 1',
        'countersign_node_duration_seconds_count{node="llm_decision",stop=""} 1',
        'countersign_node_duration_seconds_count{node="exit",stop=""} 1',
        `gen_ai_client_operation_duration_seconds_count{${request},error_type="overloaded"} 1`,
        `gen_ai_client_operation_duration_seconds_count{${request},error_type=""} 2`,
        // Two replies of 40 input, 2 cached, 5 output and 3 reasoning each.
        `gen_ai_client_token_usage_total{${request},gen_ai_token_type="input"} 80`,
        `gen_ai_client_token_usage_total{${request},gen_ai_token_type="cache_read"} 4`,
        `gen_ai_client_token_usage_total{${request},gen_ai_token_type="output"} 10`,
        `gen_ai_client_token_usage_total{${request},gen_ai_token_type="reasoning"} 6`,
        'countersign_model_retries_total{gen_ai_provider_name="local",gen_ai_request_model="qwen2.5-7b-instruct",retry="no_reply"} 1',
        'countersign_model_retries_total{gen_ai_provider_name="local",gen_ai_request_model="qwen2.5-7b-instruct",retry="misfit"} 1',
        'countersign_process_up{process="serve"} 1',
        "countersign_scrape_failed 0",
      ]),
    );
  });

  it.each([false, true])(
    "holds nothing of what was asked, replied or secret, nor any id; a capability throws: %s",
    async (throws) => {
      const { spans, text } = open();
      const { request } = await decidedBy({ answers: [replied(secrets.refused), replied(secrets.reply)], throws, spans });
      const said = await text();
      for (const hidden of [...Object.values(secrets), request.decisionId, request.principal.id, request.principal.tenant])
        expect(said).not.toContain(hidden);
      expect(said).toContain("countersign_decision_duration_seconds_count");
    },
  );

  it("leaves a failure of the work as it is, and counts it", async () => {
    const { spans, text } = open();
    const thrown = new TypeError(secrets.thrown);
    const start = { name: "read records", attributes: { "countersign.read": "records", "countersign.query": "no.such.query" } };
    await expect(spans?.within(start, () => Promise.reject(thrown))).rejects.toBe(thrown);
    expect(await text()).toContain(
      'countersign_read_duration_seconds_count{read="records",query="other",error_type="internal"} 1',
    );
  });

  it("reads queues anew at most every five seconds, however many ask, and says where it could not", async () => {
    let now = 0;
    let reads = 0;
    let isBroken = false;
    const gauges = async () => {
      reads += 1;
      if (isBroken) throw new Error("no database");
      return [{ name: "countersign.queue.age" as const, labels: { queue: "operations" }, value: reads }];
    };
    const { text } = open({ gauges, now: () => now });
    const [first, second] = await Promise.all([text(), text()]);
    expect(first).toBe(second);
    expect(first).toContain('countersign_queue_age_seconds{queue="operations"} 1');
    now = 4_999;
    await text();
    expect(reads).toBe(1);
    now = 5_001;
    isBroken = true;
    const broken = await text();
    expect(reads).toBe(2);
    expect(broken).not.toContain("queue_age_seconds{");
    expect(broken).toContain("countersign_scrape_failed 1");
  });

  it("goes to a registered SDK under the same names and labels, queues too", async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
    const gauges = async () => [{ name: "countersign.seal.lag" as const, labels: {}, value: 7 }];
    const { spans } = open({ isRead: false, gauges });
    await decidedBy({ answers: [replied(secrets.reply)], spans });
    await reader.forceFlush();
    const exported = exporter.getMetrics().flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics));
    const pointsOf = (name: string) => exported.find(({ descriptor }) => descriptor.name === name)?.dataPoints;
    expect(pointsOf("countersign.node.duration")?.map(({ attributes }) => attributes)).toContainEqual({
      "countersign.node": "entry",
    });
    // Seconds in buckets of seconds: p50 and p95 are read off these too.
    for (const { value } of pointsOf("countersign.node.duration") ?? [])
      expect(value).toMatchObject({ buckets: { boundaries: [...bucketsS] } });
    expect(pointsOf("gen_ai.client.token.usage")).toContainEqual(
      expect.objectContaining({ value: 40, attributes: expect.objectContaining({ "gen_ai.token.type": "input" }) }),
    );
    expect(pointsOf("countersign.seal.lag")?.map(({ value }) => value)).toEqual([7]);
    expect(JSON.stringify(exported)).not.toMatch(new RegExp(Object.values(secrets).join("|")));
    await reader.shutdown();
  });
});
