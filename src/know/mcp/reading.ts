import type { OpenRecordSource } from "../../contract/connector.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type McpDefinition, type McpPins, mcpPinOf, readMcpDefinition } from "../../contract/mcp.ts";
import type { Clock } from "../../contract/ports.ts";
import { changesOf, toolChanged } from "./accepted.ts";
import { holds, rowsOfAnswer } from "./answer.ts";
import { isLost, type McpPlace, type McpSession, openSession } from "./session.ts";

/** How long a look at the server's tools is good for, in milliseconds. */
const lookMs = 30_000;

/** What reading through a server needs: where it is, the accepted definitions, the tools by query, and time. */
export interface McpRoom {
  readonly place: Omit<McpPlace, "onListChanged">;
  readonly pins: McpPins;
  readonly toolOf: ReadonlyMap<string, string>;
  readonly clock: Pick<Clock, "monotonic">;
}

/** What a server shows: its tools by name, `null` where one is no definition or stands there twice. */
export type McpShown = ReadonlyMap<string, McpDefinition | null>;

interface Live {
  readonly session: McpSession;
  /** How often the server has said that its tools changed. */
  readonly told: { changes: number };
  /** The last look, when it began, and what the server had said by then. */
  seen: { readonly shown: McpShown; readonly at: number; readonly changes: number } | null;
}

interface State {
  live: Live | null;
  opening: Promise<Live> | null;
  isClosed: boolean;
}

/**
 * Connects to a server and looks at its tools. Each read is through a tool whose definition, looked at no longer ago than `lookMs`, is the
 * accepted one; else it throws `tool_changed`. A connection that is gone is made anew with the next read, and looked at anew.
 */
export async function openReading(room: McpRoom): Promise<OpenRecordSource> {
  const state: State = { live: null, opening: null, isClosed: false };
  const until = room.clock.monotonic() + room.place.timeoutMs;
  const live = await connected(room, state);
  await lookedAt(room, live, until).catch(async (thrown: unknown) => {
    await live.session.close();
    throw thrown;
  });
  return {
    run: (query, params) => read(room, state, { tool: room.toolOf.get(query) ?? "", params }),
    close: async () => {
      state.isClosed = true;
      await (await state.opening?.catch(() => null))?.session.close();
      await state.live?.session.close();
    },
  };
}

interface Asked {
  readonly tool: string;
  readonly params: JsonObject;
}

async function read(room: McpRoom, state: State, asked: Asked): Promise<readonly JsonObject[]> {
  const until = room.clock.monotonic() + room.place.timeoutMs;
  const wasOpen = state.live?.session.isOpen() === true;
  try {
    return await readOnce(room, state, { ...asked, until });
  } catch (thrown) {
    // That a server was started anew shows only when it is asked. What only reads may be asked twice.
    if (!wasOpen || !isLost(thrown) || state.isClosed) throw thrown;
    return readOnce(room, state, { ...asked, until });
  }
}

async function readOnce(
  room: McpRoom,
  state: State,
  { tool, params, until }: Asked & { until: number },
): Promise<readonly JsonObject[]> {
  const live = await connected(room, state);
  await refuseChanged(room, live, { tool, until });
  const answer = await live.session.call({ tool, args: params, timeoutMs: left(room, until) });
  // Where the server has said meanwhile that its tools changed, this may be the answer of another tool.
  if (live.seen?.changes !== live.told.changes) await refuseChanged(room, live, { tool, until });
  return rowsOfAnswer(answer, { server: room.place.name, tool, secret: secretOf(room) });
}

async function refuseChanged(room: McpRoom, live: Live, { tool, until }: { tool: string; until: number }): Promise<void> {
  const server = room.place.name;
  const shown = await lookedAt(room, live, until);
  const changed = changesOf(mcpPinOf(room.pins, { server, tool }), shown.get(tool));
  if (changed.length > 0) throw toolChanged({ server, tool, changed });
}

async function lookedAt(room: McpRoom, live: Live, until: number): Promise<McpShown> {
  const at = room.clock.monotonic();
  const { changes } = live.told;
  if (live.seen !== null && live.seen.changes === changes && at - live.seen.at <= lookMs) return live.seen.shown;
  const shown = shownTools(await live.session.tools(left(room, until)), secretOf(room));
  live.seen = { shown, at, changes };
  return shown;
}

/** The tools of a server by name, of what it says of them. */
export function shownTools(said: readonly unknown[], secret: string | null): McpShown {
  const shown = new Map<string, McpDefinition | null>();
  for (const one of said) {
    const name = typeof one === "object" && one !== null && "name" in one ? one.name : null;
    if (typeof name !== "string") continue;
    const definition = readMcpDefinition(one);
    const isUsable = definition !== null && !shown.has(name) && !holds(JSON.stringify(definition), secret);
    shown.set(name, isUsable ? definition : null);
  }
  return shown;
}

/** The connection, made where there is none; whoever asks meanwhile waits for the same one. */
function connected(room: McpRoom, state: State): Promise<Live> {
  if (state.live?.session.isOpen() === true) return Promise.resolve(state.live);
  state.opening ??= connect(room).then(
    (live) => {
      state.live = live;
      state.opening = null;
      return live;
    },
    (thrown: unknown) => {
      state.opening = null;
      throw thrown;
    },
  );
  return state.opening;
}

async function connect({ place }: McpRoom): Promise<Live> {
  const told = { changes: 0 };
  const onListChanged = (): void => {
    told.changes += 1;
  };
  return { session: await openSession({ ...place, onListChanged }), told, seen: null };
}

function left({ clock }: McpRoom, until: number): number {
  return Math.max(1, until - clock.monotonic());
}

function secretOf({ place }: McpRoom): string | null {
  return place.secret?.value ?? null;
}
