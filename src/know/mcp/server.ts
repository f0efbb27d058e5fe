import { CountersignError } from "../../contract/errors.ts";
import type { RunAs } from "./own-directory.ts";

/** Where an MCP server is: an address that speaks streamable HTTP, or a program that speaks over its standard streams. */
export type McpServer =
  /** `https:`, or a loopback address. The credential goes with each request as a bearer token. */
  | { readonly url: string }
  | {
      /** Its path, or its name where `env` has a `PATH`. */
      readonly command: string;
      readonly args?: readonly string[];
      /** All that it is given of an environment, beside its credential. */
      readonly env?: Readonly<Record<string, string>>;
      /** The variable in which it expects its credential; the name of the secret where it is left out. */
      readonly secretVariable?: string;
      /** The folder that it works in, by its full path. Left out: a new empty one, which is removed when it ends. */
      readonly directory?: string;
      /** The user that it runs as. Only a decider that may change its user, such as one of a container's root, can start it so. */
      readonly runAs?: RunAs;
      /**
       * Of a program that is run by Node: the files and folders that it may read, by their full paths, its own among them. It then reads
       * nothing else, writes no file and starts no process (Node's permission model). Whom it calls is not confined.
       */
      readonly mayRead?: readonly string[];
    };

/** Refuses an address to which a credential or an answer would go in the open. Throws `definition_invalid`. */
export function checkServer(name: string, server: McpServer): void {
  // Names are part of query names, of policies and of files.
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name))
    throw invalid(`an MCP server needs a name of lower-case letters, digits, \`_\` and \`-\`, at most 40`);
  if ("command" in server) {
    if (server.command === "") throw invalid(`MCP server \`${name}\` needs the path of its program`);
    checkConfined(name, server);
    return;
  }
  const url = URL.parse(server.url);
  if (url === null) throw invalid(`MCP server \`${name}\` has no usable address`);
  if (url.username !== "" || url.password !== "")
    throw invalid(`MCP server \`${name}\` has a credential in its address; give it by \`secret\``);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw invalid(`MCP server \`${name}\` is neither at \`https:\` nor at a loopback address`);
}

function checkConfined(name: string, { command, directory, runAs, mayRead = [] }: Extract<McpServer, { command: string }>): void {
  const paths = directory === undefined ? mayRead : [directory, ...mayRead];
  // A comma would make one path two; what does not begin at the root would be another path in another folder.
  if (paths.some((path) => !path.startsWith("/") || path.includes(",")))
    throw invalid(`MCP server \`${name}\` names a folder that is no full path, or holds a comma`);
  const ids = runAs === undefined ? [] : [runAs.uid, runAs.gid];
  if (ids.some((id) => !Number.isInteger(id) || id < 1))
    throw invalid(`MCP server \`${name}\` runs as a user by numbers above 0; root is none of them`);
  // Under another program the words would be arguments of its own, and would confine nothing.
  if (mayRead.length > 0 && !/(?:^|[/])node$/.test(command))
    throw invalid(`MCP server \`${name}\` is confined by \`mayRead\`, which only \`node\` itself knows; name it as the command`);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:[.][0-9]{1,3}){3}$/.test(host);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
