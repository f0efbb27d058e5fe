import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** One mail that arrived: whom the envelope named, and the message as it came. */
export interface Mail {
  readonly to: readonly string[];
  readonly raw: string;
}

/** A mail server on this machine. */
export interface Mailbox {
  readonly port: number;
  readonly got: Mail[];
  /** Says with which status an address is refused; `null` where it is taken. */
  refuse: (address: string) => number | null;
  readonly close: () => Promise<void>;
}

/** Opens a mail server; with `password` it asks for the login `desk` and that password. */
export async function openMailbox(password: string | null = null): Promise<Mailbox> {
  const server = new SMTPServer({
    authOptional: password === null,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password: given }, _session, done) =>
      username === "desk" && given === password ? done(null, { user: "desk" }) : done(refusal(535)),
    onRcptTo: ({ address }, _session, done) => {
      const status = mailbox.refuse(address);
      done(status === null ? null : refusal(status));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mailbox.got.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
  });
  // A client that breaks off is a fault of the connection alone.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const mailbox: Mailbox = {
    // A server that listens on TCP has an address of this form.
    port: (server.server.address() as AddressInfo).port,
    got: [],
    refuse: () => null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailbox;
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error("refused by the test"), { responseCode });
}

/** The headers of a mail by their names, folded lines joined; its text behind them, unquoted. */
export function partsOf({ raw }: Mail): { readonly headers: ReadonlyMap<string, string>; readonly text: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const);
  const named = new Map(headers);
  const text = raw.slice(end + 4);
  return { headers: named, text: named.get("Content-Transfer-Encoding") === "quoted-printable" ? unquoted(text) : text };
}

/** Every byte of our mails is ASCII, so each is a character. */
function unquoted(text: string): string {
  return text.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
