import { CountersignError } from "../../contract/errors.ts";
import { isLoopback } from "./webhook.ts";

/** A mail server as nodemailer is told of it. Times in milliseconds. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly connectionTimeout: number;
  readonly greetingTimeout: number;
  readonly socketTimeout: number;
  readonly dnsTimeout: number;
}

const waitMs = 10_000;

/**
 * Reads a mail server's URL. Options after `?` are refused: nodemailer would take them for switches, of certificates' checks among them.
 * Throws `configuration_invalid` with the secret's name, without the value.
 */
export function smtpServer(value: string, name: string): SmtpServer {
  const url = URL.canParse(value) ? new URL(value) : null;
  const host = url?.hostname ?? "";
  const isSecure = url?.protocol === "smtps:";
  if (
    url === null ||
    host === "" ||
    !(isSecure || url.protocol === "smtp:") ||
    url.search !== "" ||
    url.hash !== "" ||
    !/^\/?$/.test(url.pathname)
  ) {
    const message = `the secret \`${name}\` is no URL of a mail server; give \`smtps://user:password@host:port\`, without options`;
    throw new CountersignError("configuration_invalid", message, { facts: { name } });
  }
  const isHere = isLoopback(host);
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port: Number(url.port || (isSecure ? 465 : 587)),
    secure: isSecure,
    requireTLS: !isSecure && !isHere,
    // On this machine there is nobody to listen, and a certificate for it that anybody trusts is rare.
    ignoreTLS: !isSecure && isHere,
    ...(url.username === "" ? {} : { auth: { user: decoded(url.username, name), pass: decoded(url.password, name) } }),
    ...{ connectionTimeout: waitMs, greetingTimeout: waitMs, socketTimeout: waitMs, dnsTimeout: waitMs },
  };
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CountersignError("configuration_invalid", `the login in the secret \`${name}\` is not percent-encoded`, {
      facts: { name },
    });
  }
}
