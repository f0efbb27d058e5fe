import type * as clientLibrary from "@modelcontextprotocol/client";
import type { Client, Transport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { ChildTransport } from "./child-transport.ts";
import type { McpServer } from "./server.ts";

/** Longest message that is taken from a server, in bytes. */
const maxMessageBytes = 1024 * 1024;
/** Pages of its list of tools that a server is asked for. */
const maxPages = 20;
const ourselves = { name: "countersign", version: "0.1.0" };

/** An open connection to an MCP server. What it throws is `record_unavailable`, without a word of the server's. */
export interface McpSession {
  readonly isOpen: () => boolean;
  /** What the server says of its tools, as it says it. */
  readonly tools: (timeoutMs: number) => Promise<readonly unknown[]>;
  /** What the server answers to a call, as it answers it. */
  readonly call: (asked: { tool: string; args: JsonObject; timeoutMs: number }) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Where a session leads, under which credential, and how long connecting may take, in milliseconds. */
export interface McpPlace {
  readonly name: string;
  readonly server: McpServer;
  /** The credential and its name in the vault; `null` where the server takes none. */
  readonly secret: { readonly name: string; readonly value: string } | null;
  readonly timeoutMs: number;
  readonly onListChanged: () => void;
}

/**
 * Connects to a server and says who we are. No capability is declared, so the server can ask nothing of us: no sampling, roots or
 * elicitation. Resources, prompts and its instructions are not looked at.
 */
export async function openSession(place: McpPlace): Promise<McpSession> {
  // A third of a second of work, which a project without MCP servers does not pay.
  const library = await import("@modelcontextprotocol/client");
  const client = new library.Client(ourselves, { capabilities: {} });
  const open = { is: true, isFlooded: false };
  client.onclose = () => {
    open.is = false;
  };
  client.setNotificationHandler("notifications/tools/list_changed", place.onListChanged);
  const close = async (): Promise<void> => {
    open.is = false;
    await client.close().catch(() => {});
  };
  const orTrouble = async <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (thrown: unknown) => {
      const trouble = open.isFlooded ? "flood" : open.is ? troubleOf(thrown, library) : "lost";
      // What comes late would be taken for the answer to something else by whoever reads the connection; it starts anew.
      if (trouble !== "refused") void close();
      throw noAnswer(place.name, trouble);
    });
  const onTooMuch = (): void => {
    open.isFlooded = true;
    void close();
  };
  const transport = transportTo(place, { library, onTooMuch });
  await orTrouble(client.connect(transport, { timeout: place.timeoutMs }));
  return {
    isOpen: () => open.is,
    tools: (timeoutMs) => orTrouble(allTools(client, timeoutMs)),
    // By `request`, not `callTool`: that compiles the server's schemas of results, and nothing a server says becomes code here.
    call: ({ tool, args, timeoutMs }) =>
      orTrouble(
        client.request({ method: "tools/call", params: { name: tool, arguments: { ...args } } }, anyResult, {
          timeout: timeoutMs,
        }),
      ),
    close,
  };
}

/** Says whether an error says that the connection is gone, so that another may be tried. */
export function isLost(thrown: unknown): boolean {
  return thrown instanceof CountersignError && thrown.facts["trouble"] === "lost";
}

const toolList = z.object({ tools: z.array(z.unknown()).max(1_000), nextCursor: z.string().nullish() });
const anyResult = z.looseObject({});

async function allTools(client: Client, timeoutMs: number): Promise<readonly unknown[]> {
  // All pages together have that time, not each of them.
  const until = performance.now() + timeoutMs;
  const tools: unknown[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const params: { cursor?: string } = cursor === null ? {} : { cursor };
    const answer: z.infer<typeof toolList> = await client.request({ method: "tools/list", params }, toolList, {
      timeout: Math.max(1, until - performance.now()),
    });
    tools.push(...answer.tools);
    cursor = answer.nextCursor ?? null;
    if (cursor === null) return tools;
  }
  throw new Error(`more than ${maxPages} pages of tools`);
}

type Library = typeof clientLibrary;

function transportTo(
  { server, secret }: McpPlace,
  { library, onTooMuch }: { library: Library; onTooMuch: () => void },
): Transport {
  if ("command" in server) {
    const { command, args = [], env = {}, secretVariable, directory, runAs, mayRead } = server;
    const own = secret === null ? {} : { [secretVariable ?? secret.name]: secret.value };
    const confined = mayRead === undefined ? args : [...nodeRights(mayRead), ...args];
    const whole = { command, args: confined, env: { ...env, ...own }, directory, runAs };
    return new ChildTransport({ ...whole, maxMessageBytes, onTooMuch });
  }
  return new library.StreamableHTTPClientTransport(new URL(server.url), {
    fetch: boundedFetch({ maxBytes: maxMessageBytes, onTooMuch }),
    requestInit: { headers: secret === null ? {} : { authorization: `Bearer ${secret.value}` } },
    onInsufficientScope: "throw",
  });
}

/** Flags of Node that let a program read these and do nothing else with files and processes. */
function nodeRights(mayRead: readonly string[]): readonly string[] {
  return ["--permission", ...mayRead.map((path) => `--allow-fs-read=${path}`)];
}

type Trouble = "refused" | "late" | "flood" | "lost";

function troubleOf(thrown: unknown, { ProtocolError, SdkError, SdkErrorCode }: Library): Trouble {
  if (thrown instanceof ProtocolError) return "refused";
  return thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout ? "late" : "lost";
}

const said: Readonly<Record<Trouble, string>> = {
  refused: "refused what it was asked; its words are not kept",
  late: "gave no answer in time",
  flood: `answered with more than ${maxMessageBytes} bytes`,
  lost: "cannot be reached, or answered with what is no answer; see that it runs and takes the credential",
};

// Without the cause: what the client throws quotes what the server said, and may quote what it was sent.
function noAnswer(server: string, trouble: Trouble): CountersignError {
  return new CountersignError("record_unavailable", `MCP server \`${server}\` ${said[trouble]}`, { facts: { server, trouble } });
}
