import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { z } from "zod";
import { CountersignError, isCountersignError } from "../../contract/errors.ts";
import type { CatalogueEntry, ModelCatalogue } from "../../contract/model-catalogue.ts";
import type { Cancel } from "../../contract/principal.ts";
import { parseStrictJson } from "../parse.ts";

const timeoutMs = 15_000;
/** Most of a list that is read, in bytes. */
const maxBytes = 8 * 1024 * 1024;
/** Most pages of a list; a provider that never ends must not hold the check. */
const mostPages = 50;

const openAiList = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), shutdown_date: z.string().nullish() })),
});
const anthropicList = z.looseObject({
  data: z.array(z.looseObject({ id: z.string() })),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});
const azureList = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      lifecycle_status: z.string().nullish(),
      deprecation: z.looseObject({ inference: z.number().nullish() }).nullish(),
    }),
  ),
});

/** OpenAI's list of models, which says of each when it is shut down (`shutdown_date`). */
export function openAiCatalogue(baseUrl: string): ModelCatalogue {
  const source = `${baseUrl}/models`;
  return {
    vendor: "openai",
    read: async (key, cancel) => {
      const { data } = parsed(openAiList, await getJson({ url: source, headers: bearer(key), cancel }), "openai");
      return data.map(({ id, shutdown_date }) => {
        const shutdownOn = dayOf(shutdown_date);
        return { id, shutdownOn, isEnding: shutdownOn !== null, isRetired: false, source };
      });
    },
  };
}

/** Anthropic's list of models: what is in it answers; it says no dates. */
export function anthropicCatalogue(baseUrl: string): ModelCatalogue {
  const source = `${baseUrl}/models`;
  return {
    vendor: "anthropic",
    read: async (key, cancel) => {
      const entries: CatalogueEntry[] = [];
      let after = "";
      for (let page = 1; page <= mostPages; page += 1) {
        const headers = { "anthropic-version": "2023-06-01", ...(key === null ? {} : { "x-api-key": key }) };
        const url = `${source}?limit=100${after === "" ? "" : `&after_id=${encodeURIComponent(after)}`}`;
        const { data, has_more, last_id } = parsed(anthropicList, await getJson({ url, headers, cancel }), "anthropic");
        entries.push(...data.map(({ id }) => ({ id, shutdownOn: null, isEnding: false, isRetired: false, source })));
        if (has_more !== true || !last_id) return entries;
        after = last_id;
      }
      throw unavailable("anthropic", "its list of models has no end");
    },
  };
}

/** Azure's list of the models behind deployments. `Deprecating` is told while they still answer; `Deprecated` ones answer 410 already. */
export function azureCatalogue(url: string): ModelCatalogue {
  const source = url.split("?", 1)[0] ?? url;
  return {
    vendor: "azure",
    read: async (key, cancel) => {
      const headers: Record<string, string> = key === null ? {} : { "api-key": key };
      const { data } = parsed(azureList, await getJson({ url, headers, cancel }), "azure");
      return data.map(({ id, lifecycle_status, deprecation }) => {
        const status = lifecycle_status?.toLowerCase() ?? "";
        const shutdownOn = deprecation?.inference == null ? null : dayOf(new Date(deprecation.inference * 1000).toISOString());
        return {
          id,
          shutdownOn,
          isEnding: status === "deprecating",
          isRetired: status === "deprecated" || status === "retired",
          source,
        };
      });
    },
  };
}

function bearer(key: string | null): Readonly<Record<string, string>> {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** The day of a date or an instant; `null` where there is none. What is neither makes the list unusable: a date that was not read is no date. */
function dayOf(text: string | null | undefined): string | null {
  if (text == null || text === "") return null;
  if (/^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(text) && !Number.isNaN(Date.parse(text))) return text.slice(0, 10);
  throw unavailable("the provider", "a date in its list of models is none");
}

function parsed<T>(form: z.ZodType<T>, value: unknown, name: string): T {
  const read = form.safeParse(value);
  if (read.success) return read.data;
  throw unavailable(name, "its list of models has another form");
}

/** Gets JSON; follows no redirect, which would take the key elsewhere. Throws `model_unavailable` without the server's words. */
async function getJson({
  url,
  headers,
  cancel,
}: {
  url: string;
  headers: Readonly<Record<string, string>>;
  cancel: Cancel;
}): Promise<unknown> {
  const host = new URL(url).host;
  try {
    const text = await getText({ url, headers, cancel });
    const json = parseStrictJson(text);
    if (json.kind === "parsed") return json.value;
  } catch (thrown) {
    if (isCountersignError(thrown)) throw thrown;
    throw unavailable(host, "its list of models cannot be reached");
  }
  throw unavailable(host, "its list of models is no strict JSON");
}

function getText({
  url,
  headers,
  cancel,
}: {
  url: string;
  headers: Readonly<Record<string, string>>;
  cancel: Cancel;
}): Promise<string> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const send = target.protocol === "https:" ? requestHttps : requestHttp;
    const sent = send(target, {
      headers: { ...headers, accept: "application/json", "accept-encoding": "identity" },
      timeout: timeoutMs,
    });
    const timer = setTimeout(() => sent.destroy(), timeoutMs);
    sent.on("error", reject).on("close", () => {
      clearTimeout(timer);
      reject(new Error("no answer came"));
    });
    sent.on("timeout", () => sent.destroy());
    cancel.onCancel(() => sent.destroy());
    sent.on("response", (answer) => {
      if (answer.statusCode !== 200) {
        sent.destroy();
        reject(unavailable(target.host, `its list of models answered with status ${answer.statusCode ?? 0}`));
        return;
      }
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > maxBytes) sent.destroy();
        else parts.push(part);
      });
      answer.on("error", reject).on("end", () => {
        if (answer.complete) resolve(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)));
      });
    });
    sent.end();
  });
}

function unavailable(name: string, what: string): CountersignError {
  return new CountersignError("model_unavailable", `\`${name}\`: ${what}`);
}
