import { type ChangeTopic, type ChangeView, changeTopics } from "../contract/changes.ts";
import { isCountersignError } from "../contract/errors.ts";
import { problemFrom } from "./problem.ts";
import { baseOf, type ClientOptions } from "./send.ts";

/** What changed, and where in the order of commits that was. */
export interface ChangeEvent extends ChangeView {
  /** Hands on where to go on from: what came after it is told first. */
  readonly id: string;
}

/** How to listen. */
export interface Listen {
  /** Ends the listening. */
  readonly signal?: AbortSignal;
  /** The id of the last event that was heard before. */
  readonly after?: string;
  /** Told each time a stream begins or is lost; what came between is told when it begins again. */
  readonly onState?: (state: "open" | "lost") => void;
}

const usualAgainMs = 2_000;

/**
 * Listens to changes until `signal` ends it, and comes again by itself where the stream is lost. Throws what no waiting mends, such as
 * `unauthenticated`.
 */
export async function* listenTo(
  options: ClientOptions,
  { signal, after, onState = () => {} }: Listen,
): AsyncGenerator<ChangeEvent> {
  const place: Place = { id: after ?? null, waitMs: usualAgainMs };
  const isEnded = () => signal?.aborted === true;
  while (!isEnded()) {
    try {
      const stream = await openStream(options, { id: place.id, signal: signal ?? null });
      onState("open");
      yield* eventsOf(stream, place);
    } catch (thrown) {
      if (!isEnded()) place.waitMs = waitAfter(thrown, place);
    }
    if (isEnded()) return;
    onState("lost");
    await pause(place.waitMs, signal);
  }
}

/** Where a listener stands, from one stream to the next. */
interface Place {
  id: string | null;
  waitMs: number;
}

async function* eventsOf(stream: ReadableStream<Uint8Array>, place: Place): AsyncGenerator<ChangeEvent> {
  for await (const block of blocksOf(stream)) {
    place.waitMs = block.retry ?? place.waitMs;
    place.id = block.id ?? place.id;
    if (block.topics !== null && place.id !== null) yield { id: place.id, topics: block.topics };
  }
}

/** How long to wait after a stream was lost so; throws again what no waiting mends. */
function waitAfter(thrown: unknown, { waitMs }: Place): number {
  if (!isCountersignError(thrown)) return waitMs;
  if (!mayMend(thrown.code)) throw thrown;
  const { seconds } = thrown.facts;
  return typeof seconds === "number" ? seconds * 1_000 : waitMs;
}

function mayMend(code: string): boolean {
  return code === "service_unavailable" || code === "too_many_requests" || code === "internal" || code === "too_busy";
}

async function openStream(
  { baseUrl, apiKey, fetch: fetcher = fetch }: ClientOptions,
  { id, signal }: { readonly id: string | null; readonly signal: AbortSignal | null },
): Promise<ReadableStream<Uint8Array>> {
  const base = baseOf(baseUrl);
  const headers = {
    accept: "text/event-stream",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(id === null ? {} : { "last-event-id": id }),
  };
  const response = await fetcher(`${base}/v1/events`, { headers, signal, redirect: "error", cache: "no-store" });
  if (response.ok && response.body !== null) return response.body;
  throw problemFrom({ status: response.status, body: parsed(await response.text()), base });
}

interface Block {
  readonly id: string | null;
  readonly retry: number | null;
  readonly topics: readonly ChangeTopic[] | null;
}

/** The stream cut at its empty lines (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
async function* blocksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Block> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      yield* blocks.map(readBlock);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readBlock(block: string): Block {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const retry = Number(fields.get("retry") ?? "x");
  return {
    id: fields.get("id") ?? null,
    retry: Number.isSafeInteger(retry) ? retry : null,
    topics: fields.get("event") === "changed" ? topicsIn(parsed(fields.get("data") ?? "")) : null,
  };
}

/** Topics that this version does not know are another version's, and left out. */
function topicsIn(data: unknown): readonly ChangeTopic[] {
  const told = typeof data === "object" && data !== null && "topics" in data ? data.topics : [];
  return changeTopics.filter((topic) => Array.isArray(told) && told.includes(topic));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}
