import { createMcpHandler } from "@modelcontextprotocol/server";
import { createClient } from "../../client/index.ts";
import { CountersignError } from "../../contract/errors.ts";
import { credentialOf } from "../authenticate.ts";
import { readText } from "../body.ts";
import { refuseAmbiguous } from "../json-text.ts";
import type { Routes } from "../routes.ts";
import { makeMcpServer, toolWithinMs } from "./mcp-server.ts";

/** Without sessions there is nothing to listen to or to end: other methods than POST are no route. */
const path = "/mcp";

/**
 * Adds the MCP server to the desk's routes, as streamable HTTP without sessions. A request without a good key is answered before
 * anything of MCP is read; each call of a tool goes through the API's own routes under that key.
 */
export function addMcp(routes: Routes): void {
  const handler = createMcpHandler(({ authInfo }) => {
    const apiKey = authInfo?.token ?? "";
    const fetchOwn = async (url: string | URL | Request, init?: RequestInit) => routes.fetch(new Request(url, init));
    return makeMcpServer(createClient({ baseUrl: "http://desk.invalid", apiKey, fetch: fetchOwn, timeoutMs: toolWithinMs }));
  });
  routes.bearer({ method: "POST", path, who: "account", scope: "read" }, async (context, { principal, scopes }) => {
    refuseForeignOrigin(context.req.header("origin"));
    const { url, headers, signal } = context.req.raw;
    const body = await readText(context);
    if (isJson(body)) refuseAmbiguous(body);
    const authInfo = { token: credentialOf(context) ?? "", clientId: principal.id, scopes: [...scopes] };
    return handler.fetch(new Request(url, { method: "POST", headers, signal, body }), { authInfo });
  });
}

/** What is no JSON is answered by the protocol itself. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A browser names the origin of the page that sends. One of another machine may have been led here by its own name (DNS rebinding), so
 * that name proves nothing; programs that are no browser send none.
 */
function refuseForeignOrigin(origin: string | undefined): void {
  if (origin === undefined || loopback.includes(URL.parse(origin)?.hostname ?? "")) return;
  throw new CountersignError(
    "forbidden",
    "the request comes from a page of another origin; MCP is for programs on this machine and servers",
  );
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];
