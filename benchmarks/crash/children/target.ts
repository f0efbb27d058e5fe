// The target: a system of somebody else's, in a process of its own, which nobody kills. It keeps things in memory and writes every
// change that it makes to a log; it goes on with what has arrived whether or not the caller lives.
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { SentChange } from "../project/connectors.ts";
import type { Applied, Mark, Passing, TargetOrder } from "../target.ts";
import { failedReads, fateOf, longestMs, type Thing, take, untouched } from "../target-rules.ts";

const log = openSync(process.env["TARGET_LOG"] ?? "", "a");
const keys: Readonly<Record<string, string>> = JSON.parse(process.env["TARGET_KEYS"] ?? "{}");
const things = new Map<string, Thing>();
/** What the storm waits for: the next call that passes this mark is told. */
const wanted: { mark: Mark | null } = { mark: null };

const server = createServer((asked, answer) => {
  handle(asked, answer).catch(() => answer.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : null });
});
process.on("message", ({ tell }: TargetOrder) => {
  wanted.mark = tell;
});
process.once("disconnect", () => process.exit(0));

async function handle(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const arrivedAt = performance.now();
  const pid = Number(asked.headers["x-process"]);
  const body: unknown = JSON.parse(await textOf(asked));
  const [who = "", key = ""] = (asked.headers.authorization ?? "").split(":");
  const mayWrite = who === "writer";
  if (keys[who] !== key || mayWrite !== (asked.url !== "/read")) return say(answer, 401);
  // The one client that sends here is typed; other callers have no key.
  const sentAt = Number(asked.headers["x-sent-at"]);
  if (asked.url === "/fence") raise(body as SentChange, answer);
  else if (mayWrite) put({ change: body as SentChange, answer, arrivedAt, sentAt, pid });
  else read({ of: body as { kind: string; thing: string }, answer, pid });
}

function put({
  change,
  answer,
  arrivedAt,
  sentAt,
  pid,
}: {
  change: SentChange;
  answer: ServerResponse;
  arrivedAt: number;
  sentAt: number;
  pid: number;
}): void {
  pass("arrived", pid);
  const { afterMs, repliesAfterMs, isMade, answer: heard } = fateOf(change.kind, Math.random);
  setTimeout(() => {
    // This target keeps nothing longer than it says, also where its own process had to wait for the processor.
    const isTooLate = performance.now() - arrivedAt > longestMs(change.kind);
    const isTaken = isMade && !isTooLate && make({ change, pid, sentAt });
    setTimeout(() => {
      if (heard === "none") answer.destroy();
      else say(answer, isTaken && heard === "true" ? 200 : 503);
    }, repliesAfterMs);
  }, afterMs);
}

function raise({ kind, thing, fence }: Pick<SentChange, "kind" | "thing" | "fence">, answer: ServerResponse): void {
  const place = `${kind} ${thing}`;
  const known = things.get(place) ?? untouched;
  things.set(place, { ...known, told: Math.max(known.told, fence) });
  say(answer, 200);
}

/** Makes the change, unless the kind of the target refuses it; says whether the caller may be told that it is so. */
function make({ change, pid, sentAt }: { change: SentChange; pid: number; sentAt: number }): boolean {
  const place = `${change.kind} ${change.thing}`;
  const taken = take(things.get(place) ?? untouched, change);
  if (taken.kind !== "applied") return taken.kind === "repeated";
  things.set(place, taken.thing);
  const { kind, thing, value, key, fence } = change;
  const at = Date.now();
  const line: Applied = { kind, thing, value, key, fence, pid, inFlightMs: at - sentAt, at };
  writeSync(log, `${JSON.stringify(line)}\n`);
  pass("applied", pid);
  return true;
}

function read({
  of: { kind, thing },
  answer,
  pid,
}: {
  of: { kind: string; thing: string };
  answer: ServerResponse;
  pid: number;
}): void {
  pass("read", pid);
  const { value, version } = things.get(`${kind} ${thing}`) ?? untouched;
  if (Math.random() < failedReads) say(answer, 503);
  else answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ value, version }));
}

function pass(mark: Mark, pid: number): void {
  if (wanted.mark !== mark) return;
  wanted.mark = null;
  const passing: Passing = { mark, pid };
  process.send?.(passing);
}

function say(answer: ServerResponse, status: number): void {
  answer.writeHead(status, { "content-type": "application/json" }).end("{}");
}

async function textOf(asked: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of asked.setEncoding("utf8")) text += chunk;
  return text;
}
