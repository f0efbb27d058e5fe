import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMcpDefinition } from "../../../src/contract/mcp.ts";
import { everything } from "../../../src/contract/principal.ts";
import { digestOfDefinition } from "../../../src/know/mcp/accepted.ts";
import { type McpSource, type McpSourceOptions, mcpSource } from "../../../src/know/mcp/mcp-source.ts";
import { openRecords } from "../../../src/know/records/records.ts";
import { systemDeadline } from "../../../src/store/clock.ts";
import { fixedClock, testTime } from "../../../src/testing/index.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import { definitions, type TrackerState } from "./tracker.ts";
import { openTrackerHttp } from "./tracker-http.ts";

/** The tracker's credential; no log, error, answer or prompt may hold it. */
export const credential = "token-9f27c1-of-the-tracker";

const principal = { tenant: "acme", id: "emp-1", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
const envelope = { principal, scopes: [], environment: "demo", at: testTime };

/** The pins that a person who accepted these tools would have: of the tracker's definitions, with what is changed of them. */
export function pinsOf(...given: readonly (string | NonNullable<TrackerState["changed"]>)[]) {
  const changed = Object.assign({}, ...given.filter((one) => typeof one !== "string"));
  const pinned = definitions
    .filter(({ name }) => given.includes(name))
    .map((said) => {
      const definition = readMcpDefinition({ ...said, ...changed[said.name] });
      if (definition === null) throw new Error(`${said.name} has no definition`);
      return [said.name, { digest: digestOfDefinition(definition), definition }] as const;
    });
  return { version: 1, servers: { tracker: Object.fromEntries(pinned) } };
}

/** A tracker with a state that a test changes, and record sources over it. */
export interface Tracker {
  /** Changes what the tracker shows from its next answer on. */
  readonly become: (state: TrackerState) => Promise<void>;
  readonly source: (own?: Partial<McpSourceOptions>) => McpSource;
  /** Makes the tracker forget who is connected, where it is one that can. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** The tracker as a child process. */
export async function stdioTracker({
  manner,
}: {
  manner?: string;
} = {}): Promise<Tracker & { readonly server: McpSourceOptions["server"] }> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-mcp-"));
  const stateFile = join(folder, "state.json");
  const become = (state: TrackerState) => writeFile(stateFile, JSON.stringify(state));
  await become({});
  const program = fileURLToPath(new URL("tracker-program.ts", import.meta.url));
  const server = {
    command: process.execPath,
    args: [program, stateFile, ...(manner === undefined ? [] : [manner])],
    env: { ROOM: "3" },
  };
  return {
    become,
    server,
    source: sourceOf(server),
    forget: () => {},
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The tracker behind streamable HTTP. */
export async function httpTracker(): Promise<
  Tracker & { readonly url: string; readonly credentials: readonly (string | null)[] }
> {
  const held: { state: TrackerState } = { state: {} };
  const { url, forget, close, credentials } = await openTrackerHttp({ state: () => held.state, credential });
  return {
    become: async (state) => {
      held.state = state;
    },
    ...{ url, source: sourceOf({ url }), forget, close, credentials },
  };
}

function sourceOf(server: McpSourceOptions["server"]): Tracker["source"] {
  return (own = {}) =>
    mcpSource({
      ...{ name: "tracker", server, secret: "TRACKER_TOKEN", pins: pinsOf("search", "ticket"), timeoutMs: 30_000 },
      tools: { search: {}, ticket: {} },
      ...own,
    });
}

/** Records over a source, read by tool. Close it. */
export function reading(
  given: McpSource | ((own: Partial<McpSourceOptions>) => McpSource),
  { token = credential }: { token?: string } = {},
) {
  const clock = fixedClock(testTime);
  const source = typeof given === "function" ? given({ clock }) : given;
  const records = openRecords({
    permit: shippedPolicy,
    sources: [source],
    vault: { secret: () => token },
    clock,
    // A program may take long to start on a busy machine. What ends a read here is the time that its source has.
    deadline: { within: (_, work) => systemDeadline.within(50_000, work) },
  });
  const need = (tool: string, params: Readonly<Record<string, string | number>>) =>
    ({ kind: "records", name: "found", query: `mcp.tracker.${tool}`, params, maxAgeMs: 0 }) as const;
  return {
    clock,
    records,
    read: (tool: string, params: Readonly<Record<string, string | number>> = {}) =>
      records.readRecords(need(tool, params), envelope),
    close: () => records.close(),
  };
}

/** The source with one tool more, which is accepted. */
export function withTool(tool: string): Pick<McpSourceOptions, "pins" | "tools"> {
  return { pins: pinsOf("search", "ticket", tool), tools: { search: {}, ticket: {}, [tool]: {} } };
}
