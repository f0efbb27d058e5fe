import { readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { type McpPins, readMcpPins } from "../contract/mcp.ts";
import type { DecidingParts } from "../define/deciding.ts";
import { isMcpSource, type McpSource } from "../know/mcp/mcp-source.ts";
import type { McpShown } from "../know/mcp/reading.ts";
import { openVault } from "../vault/open-vault.ts";
import { decidingSecrets } from "./deciding-secrets.ts";
import { loadEntry } from "./load.ts";
import { vaultVariables } from "./vault-place.ts";

/** Where a project and its installation are. */
export interface McpOptions {
  readonly project: string;
  readonly directory: string;
  readonly json?: true;
}

/** The MCP servers of a project, a look at one under the deciding half's own credential, and the pins that are kept. */
export interface McpProject {
  readonly sources: readonly McpSource[];
  readonly look: (source: McpSource) => Promise<McpShown>;
  readonly pins: McpPins;
}

/** Loads a project's deciding half, which alone knows its servers. Throws `definition_invalid`, and `not_found` for another server's name. */
export async function openMcpProject({ project, directory }: McpOptions, server?: string): Promise<McpProject> {
  const parts = await loadEntry<DecidingParts>(project, "decide");
  const all = parts.records.filter(isMcpSource);
  const sources = server === undefined ? all : all.filter((one) => one.mcp.server === server);
  if (server !== undefined && sources.length === 0)
    throw new CountersignError("not_found", `decide.ts of this project has no MCP server of that name; it has ${namesOf(all)}`);
  const own = (await vaultVariables(resolve(directory))).deciding ?? {};
  const vault = await openVault({ side: "deciding", env: { ...process.env, ...own }, declared: decidingSecrets(parts) });
  return {
    sources,
    look: async (source) => source.mcp.look(source.connector.secret === null ? "" : vault.secret(source.connector.secret)),
    pins: await readPins(project),
  };
}

/** Writes the pins of a project whole or not at all, in an order that does not depend on when what was accepted. */
export async function writePins(project: string, pins: McpPins): Promise<void> {
  const path = pathOf(project);
  const draft = `${path}.${process.pid}`;
  const servers = sorted(Object.fromEntries(Object.entries(pins.servers).map(([name, tools]) => [name, sorted(tools)])));
  await writeFile(draft, `${JSON.stringify({ version: pins.version, servers }, null, 2)}\n`);
  await rename(draft, path);
}

async function readPins(project: string): Promise<McpPins> {
  const text = await readFile(pathOf(project), "utf8").catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT") return '{"version":1,"servers":{}}';
    throw thrown;
  });
  return readMcpPins(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sorted<T>(members: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function pathOf(project: string): string {
  return join(resolve(project), "mcp-tools.json");
}

function namesOf(sources: readonly McpSource[]): string {
  return sources.map(({ mcp }) => `\`${mcp.server}\``).join(", ") || "none";
}
