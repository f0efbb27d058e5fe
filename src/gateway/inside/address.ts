import { CountersignError } from "../../contract/errors.ts";

/**
 * Refuses an address that is not inside the boundary: texts are sent to it as they are, so it is this machine, or a host that the
 * configuration names as standing inside. Gives the address without its last slash; throws `definition_invalid`.
 */
export function insideAddress(
  name: string,
  { baseUrl, insideHosts = [] }: { baseUrl: string; insideHosts?: readonly string[] },
): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
  if (!isPlain) throw refused(name, "has no usable base URL; write one with http or https, without a key and a query in it");
  if (!isLoopback(url.hostname) && !insideHosts.includes(url.hostname))
    throw refused(
      name,
      `is at \`${url.hostname}\`, which is outside the boundary; run it on this machine, or name the host in \`insideHosts\``,
    );
  return url.href.replace(/\/$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function refused(name: string, why: string): CountersignError {
  return new CountersignError("definition_invalid", `\`${name}\` ${why}`);
}
