// MCP as one more front door (https://modelcontextprotocol.io, revisions 2025-11-25 and 2026-07-28): each tool is a call of the HTTP API
// with the caller's own key, so every rule of the API holds, and what no tool offers nobody can do from here.
import { McpServer } from "@modelcontextprotocol/server";
import type { Client } from "../../client/index.ts";
import { type CountersignError, isCountersignError } from "../../contract/errors.ts";
import { ownVersion } from "../own-version.ts";
import { answerWithinMs } from "../requests.ts";
import { type OfferedTool, offeredTools } from "./tools.ts";

/** How long a tool waits: a little longer than the desk waits for the decider, so that what is said of what takes long is the desk's word. */
export const toolWithinMs = answerWithinMs + 5_000;

const instructions =
  "What these tools propose is not done: people or policy sign it, and a separate process applies it and looks whether it happened. Say a thing is done only where a decision's state is `done`.";

/** Makes a server for one caller. Faults of ours come back as tool errors with their code; nothing of a key or a stack is in them. */
export function makeMcpServer(client: Client): McpServer {
  const server = new McpServer({ name: "countersign", title: "Countersign", version: ownVersion }, { instructions });
  for (const offered of offeredTools) addTool(server, { offered, client });
  return server;
}

function addTool(server: McpServer, { offered, client }: { offered: OfferedTool; client: Client }): void {
  const { name, title, description, input, begins, run } = offered;
  const annotations = { readOnlyHint: !begins, destructiveHint: false, openWorldHint: false };
  server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given: unknown) => {
    try {
      const structuredContent = { ...(await run(client, given)) };
      return { content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }], structuredContent };
    } catch (thrown) {
      if (!isCountersignError(thrown)) throw thrown;
      return { isError: true, content: [{ type: "text" as const, text: errorText(thrown) }] };
    }
  });
}

function errorText({ code, message, facts }: CountersignError): string {
  const known = Object.keys(facts).length === 0 ? "" : ` ${JSON.stringify(facts)}`;
  return `${code}: ${message}${known}`;
}
