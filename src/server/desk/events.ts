import type { Context } from "hono";
import type { ChangeTopic, ChangeView } from "../../contract/changes.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { Identity } from "../../contract/identity.ts";
import { credentialOf } from "../authenticate.ts";
import type { Caller, Routes } from "../routes.ts";
import { type Doors, sessionOf } from "./doors.ts";
import { type EventLimits, usualEvents } from "./event-limits.ts";
import { createWatch, type Watch } from "./watch.ts";

/** How soon a browser comes again after a stream has ended, in milliseconds. */
const againMs = 2_000;
const retryAfterSeconds = 30;

/**
 * Adds `GET /v1/events`: that something changed which the caller may see, and never what. The id of an event is a place in the order of
 * commits; whoever comes again with it in `Last-Event-ID` is told first of what came between.
 */
export function addEvents(routes: Routes, doors: Doors, limits: EventLimits = usualEvents): void {
  const watch = createWatch({ desk: doors.desk, everyMs: limits.everyMs });
  const open = new Map<string, number>();
  const streams = new Set<() => void>();
  routes.onStop(() => {
    for (const end of [...streams]) end();
    watch.close();
  });
  routes.bearer({ method: "GET", path: "/v1/events", who: "account", scope: "read" }, async (context, caller) => {
    const since = lastHeard(context);
    const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
    if (context.req.method === "HEAD") return new Response(null, { headers });
    const { tenant, id } = caller.principal;
    const account = `${tenant}/${id}`;
    refuseTooMany(context, { ofAccount: open.get(account) ?? 0, all: streams.size, limits });
    open.set(account, (open.get(account) ?? 0) + 1);
    const ended = (end: () => void) => {
      streams.delete(end);
      const left = (open.get(account) ?? 1) - 1;
      if (left === 0) open.delete(account);
      else open.set(account, left);
    };
    const again = () => stillKnown(context, caller, doors);
    const { stream, joined } = listen({
      ...{ context, caller, watch, since, beatMs: limits.beatMs, again },
      ...{ begun: (end: () => void) => streams.add(end), ended },
    });
    // Whoever has the beginning of the answer is told of everything from then on.
    await joined;
    return new Response(stream, { headers });
  });
}

function lastHeard(context: Context): string | null {
  const told = context.req.header("last-event-id");
  if (told === undefined || told === "") return null;
  if (/^[0-9]{1,19}$/.test(told)) return told;
  throw new CountersignError(
    "bad_request",
    "`Last-Event-ID` is none of this stream: send the id of its last event, or leave it out",
  );
}

function refuseTooMany(
  context: Context,
  { ofAccount, all, limits }: { ofAccount: number; all: number; limits: EventLimits },
): void {
  if (ofAccount < limits.mostOfAccount && all < limits.most) return;
  context.header("retry-after", String(retryAfterSeconds));
  throw new CountersignError(
    "too_many_requests",
    `too many listen already; close a page, or try again in ${retryAfterSeconds} s`,
    {
      facts: { seconds: retryAfterSeconds },
    },
  );
}

/** Whoever listens as they are now; nothing once their session has ended, or their account or key is no good. */
async function stillKnown(context: Context, caller: Caller, doors: Doors): Promise<Identity | undefined> {
  try {
    const known =
      caller.session === null
        ? await doors.identities.ofCredential(credentialOf(context) ?? "")
        : await sessionOf(context, doors);
    return known?.scopes.includes("read") === true ? known : undefined;
  } catch (thrown) {
    // A tenant that is suspended listens no more. What cannot be asked just now is asked again at the next beat.
    return thrown instanceof CountersignError && thrown.code !== "service_unavailable" ? undefined : caller;
  }
}

interface Listening {
  readonly context: Context;
  readonly caller: Caller;
  readonly watch: Watch;
  readonly since: string | null;
  readonly beatMs: number;
  readonly again: () => Promise<Identity | undefined>;
  readonly begun: (end: () => void) => void;
  readonly ended: (end: () => void) => void;
}

/** One stream, from its first line until the caller leaves, is no longer known, or the desk stops. `joined` throws where it cannot begin. */
function listen({ context, caller, watch, since, beatMs, again, begun, ended }: Listening): {
  readonly stream: ReadableStream<Uint8Array>;
  readonly joined: Promise<void>;
} {
  const encoder = new TextEncoder();
  let { principal } = caller;
  let leave = () => {};
  let timer: NodeJS.Timeout | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(timer);
    leave();
    ended(end);
    controller?.close();
  };
  const say = (text: string) => {
    if (isOpen) controller?.enqueue(encoder.encode(text));
  };
  const beat = async () => {
    const known = await again();
    // Whoever does not read what is sent is not waited for.
    if (known === undefined || (controller?.desiredSize ?? 0) < -mostUnread) return end();
    principal = known.principal;
    say(": here\n\n");
  };
  const stream = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    cancel: () => {
      controller = null;
      end();
    },
  });
  const join = async (): Promise<void> => {
    try {
      const tell = (position: string, topics: readonly ChangeTopic[]) => topics.length > 0 && say(eventOf(position, topics));
      const joined = await watch.join(principal.tenant, { principal: () => principal, tell }, since);
      leave = joined.leave;
      if (!isOpen) leave();
      // An id without data is no event, and is remembered all the same.
      say(`id: ${joined.position}\n\n`);
    } catch (thrown) {
      end();
      throw thrown;
    }
  };
  begun(end);
  context.req.raw.signal.addEventListener("abort", end, { once: true });
  timer = setInterval(() => void beat(), beatMs);
  say(`retry: ${againMs}\n\n`);
  return { stream, joined: join() };
}

/** Chunks that may wait to be read. */
const mostUnread = 1_000;

function eventOf(position: string, topics: readonly ChangeTopic[]): string {
  return `event: changed\nid: ${position}\ndata: ${JSON.stringify({ topics } satisfies ChangeView)}\n\n`;
}
