import { appendFileSync } from "node:fs";
import { inspect } from "node:util";
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { defineConnector, recordSource } from "countersign";
import { type DecidingParts, defineDeciding, openAi } from "countersign/decide";
import { ticketsByName } from "./tickets.ts";

/** The deciding half of the canary house, with a model at that address; every span goes into a file, with all that it holds. */
export function decidingWith({ modelUrl, spansFile }: { modelUrl: string; spansFile: string }): DecidingParts {
  const keep = (spans: ReadableSpan[], done: (result: { code: number }) => void) => {
    for (const { name, attributes, events, status, resource } of spans)
      appendFileSync(
        spansFile,
        `${inspect({ name, attributes, events, status, resource: resource.attributes }, { depth: 9 })}\n`,
      );
    done({ code: 0 });
  };
  const exporter = { export: keep, shutdown: async () => {} };
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  const reader = defineConnector({
    name: "shop-reader",
    side: "reads",
    secret: "SHOP_READ",
    open: async (url) => ({ url }),
    close: async () => {},
  });
  const provider = openAi({
    name: "local",
    secret: "MODEL_KEY",
    api: "responses",
    constrain: "schema",
    baseUrl: `${modelUrl}/v1`,
  });
  return defineDeciding({ providers: [provider], records: [recordSource(reader, [ticketsByName])], hiddenValues: null });
}
