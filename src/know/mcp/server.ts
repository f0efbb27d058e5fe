import { CountersignError } from "../../contract/errors.ts";

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
    };

/** Refuses an address to which a credential or an answer would go in the open. Throws `definition_invalid`. */
export function checkServer(name: string, server: McpServer): void {
  // Names are part of query names, of policies and of files.
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name))
    throw invalid(`an MCP server needs a name of lower-case letters, digits, \`_\` and \`-\`, at most 40`);
  if ("command" in server) {
    if (server.command === "") throw invalid(`MCP server \`${name}\` needs the path of its program`);
    return;
  }
  const url = URL.parse(server.url);
  if (url === null) throw invalid(`MCP server \`${name}\` has no usable address`);
  if (url.username !== "" || url.password !== "")
    throw invalid(`MCP server \`${name}\` has a credential in its address; give it by \`secret\``);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw invalid(`MCP server \`${name}\` is neither at \`https:\` nor at a loopback address`);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:[.][0-9]{1,3}){3}$/.test(host);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
