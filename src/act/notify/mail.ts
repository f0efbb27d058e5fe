import { createHash } from "node:crypto";
import { createTransport } from "nodemailer";
import { CountersignError } from "../../contract/errors.ts";
import type { Addressee } from "../../ledger/notices.ts";
import { type Channel, faultCode, type Part, type Sent, type Told } from "./channel.ts";
import { mailText } from "./mail-text.ts";
import { type SmtpServer, smtpServer } from "./smtp-server.ts";

/** Whose addresses a project is asked for. */
export interface Recipient extends Addressee {
  readonly tenant: string;
}

/** Most people that one notice is mailed to; a role that more people hold needs a list of its own at the mail server. */
const mostAddresses = 50;

/**
 * Tells by mail (SMTP): one plain text for each address that `addressOf` names; none is not told by mail. `secret` is the name of the
 * server's URL, `smtps://user:password@host` or `smtp://…` (with STARTTLS, except on this machine). `desk` is where people reach the desk,
 * such as `https://desk.example.com`. Throws `definition_invalid` for a sender that is no plain address and a `desk` that is no URL.
 * @example
 * mail({ secret: "SMTP_URL", from: "countersign@example.com", addressOf: ({ kind, name }) => (kind === "owner" ? [`${name}@example.com`] : []) })
 */
export function mail({
  secret,
  from,
  addressOf,
  desk = null,
  name = "mail",
}: {
  secret: string;
  from: string;
  addressOf: (to: Recipient) => readonly string[] | Promise<readonly string[]>;
  desk?: string | null;
  name?: string;
}): Channel {
  if (!isAddress(from)) throw invalid(`the sender of \`${name}\` is no plain address`);
  const base = desk === null ? null : deskOf(desk, name);
  return Object.freeze<Channel>({
    name,
    secret,
    open: ({ secret: value }) => {
      const server = smtpServer(value, secret);
      return {
        name,
        async parts(told) {
          const addresses = [...new Set(await addressOf({ tenant: told.tenant, ...told.to }))];
          if (addresses.length > mostAddresses) return [refusedPart(name, "more addresses than one notice is mailed to")];
          return addresses.map((address): Part => {
            const key = `${name}:${markOf(told, address)}`;
            if (!isAddress(address)) return refusedPart(key, "no plain address");
            return { key, send: (signal) => send({ server, from, address, told, base, signal }) };
          });
        },
      };
    },
  });
}

async function send({
  server,
  from,
  address,
  told,
  base,
  signal,
}: {
  server: SmtpServer;
  from: string;
  address: string;
  told: Told;
  base: string | null;
  signal: AbortSignal;
}): Promise<Sent> {
  const transport = createTransport({ ...server, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.sendMail({
      from: { name: "Countersign", address: from },
      to: { name: "", address },
      ...mailText(told, base),
      signal,
      // The same for every send of the same notice to the same person, so that a repeat can be told.
      messageId: `<${told.id}.${markOf(told, address)}@countersign.invalid>`,
      headers: { "X-Countersign-Notice": told.id, "Auto-Submitted": "auto-generated" },
    });
    return { kind: "done" };
  } catch (thrown) {
    return faultOf(thrown);
  } finally {
    transport.close();
  }
}

/** A server's 5xx about this mail or its address ends it; about the login, or of no server at all, somebody may mend. */
function faultOf(thrown: unknown): Sent {
  const code = faultCode(thrown);
  const status = thrown instanceof Error && "responseCode" in thrown ? Number(thrown.responseCode) : 0;
  const isFinal = status >= 500 && status < 600 && (code === "EENVELOPE" || code === "EMESSAGE");
  return { kind: isFinal ? "refused" : "later", fault: status > 0 ? `${code} ${status}` : code };
}

function refusedPart(key: string, fault: string): Part {
  return { key, send: async () => ({ kind: "refused", fault }) };
}

/** Stands for an address beside a notice; says nothing about it, and is another one beside every other notice. */
function markOf({ id }: Told, address: string): string {
  return createHash("sha256").update(`${id} ${address}`).digest("hex").slice(0, 16);
}

/** A plain ASCII address without comments, quotes or white space: nothing in it can end a header or name a second recipient. */
function isAddress(text: unknown): boolean {
  return (
    typeof text === "string" &&
    text.length <= 254 &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
  );
}

function deskOf(desk: string, name: string): string {
  const url = URL.canParse(desk) ? new URL(desk) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    throw invalid(`the desk's address in \`${name}\` is no plain URL`);
  return url.href.replace(/\/$/, "");
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
