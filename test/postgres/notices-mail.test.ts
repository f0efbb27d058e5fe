import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mail, type Recipient } from "../../src/act/notify/mail.ts";
import { webhook } from "../../src/act/notify/webhook.ts";
import { noticeKinds } from "../../src/contract/words.ts";
import { systemClock } from "../../src/store/clock.ts";
import type { Worker } from "../../src/worker.ts";
import { House } from "./acting/house.ts";
import { sampleHands } from "./acting/project.ts";
import { type Mailbox, openMailbox, partsOf } from "./notify/mailbox.ts";
import { faults, notice, standing } from "./notify/notices.ts";
import { openReceiver } from "./notify/receiver.ts";

let house: House;
let mailbox: Mailbox;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(async () => {
  house.aheadMs = 0;
  mailbox = await openMailbox();
});
afterEach(async () => {
  await mailbox.close();
  // What one test leaves unsent is no business of the next one.
  await house.admin.query("update countersign.notice set state = 'failed' where state = 'waiting'");
});

type AddressOf = (to: Recipient) => readonly string[] | Promise<readonly string[]>;
const from = "countersign@example.com";
const byName: AddressOf = ({ tenant, kind, name }) => [`${name}.${kind}@${tenant}.example.com`];

function mailing({
  addressOf = byName,
  onError = faults().onError,
  server = `smtp://127.0.0.1:${mailbox.port}`,
  hook = null,
}: {
  addressOf?: AddressOf;
  onError?: (thrown: unknown) => void;
  server?: string;
  hook?: string | null;
} = {}): Worker {
  const byMail = mail({ secret: "SMTP_URL", from, addressOf, desk: "https://desk.example.com/" });
  const hooks = hook === null ? [] : [webhook({ url: hook, secret: "NOTICE_SECRET" })];
  const secrets = { SMTP_URL: server, NOTICE_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}` };
  return house.worker({ hands: { ...sampleHands(house.sample), notify: [byMail, ...hooks] }, secrets, onError });
}

describe("a notice by mail", () => {
  it.each(noticeKinds)("of the kind %s reaches whom the project names, once, as plain text with a link", async (kind) => {
    const decisionId = await notice(house, { kind, to: { kind: "owner", name: "service-desk" } });
    const worker = mailing();
    await worker.runOnce();
    house.aheadMs = 3_600_000;
    await worker.runOnce();
    const [row] = await standing(house, decisionId);
    expect(row).toMatchObject({ state: "sent", attempts: 1 });
    expect(mailbox.got.map(({ to }) => to)).toEqual([["service-desk.owner@acme.example.com"]]);
    const { headers, text } = partsOf(mailbox.got[0] ?? { to: [], raw: "" });
    expect(headers.get("From")).toBe("Countersign <countersign@example.com>");
    expect(headers.get("To")).toBe("service-desk.owner@acme.example.com");
    expect(headers.get("X-Countersign-Notice")).toBe(row?.id);
    expect(headers.get("Message-ID")).toMatch(new RegExp(`^<${row?.id}[.][0-9a-f]{16}@countersign.invalid>$`));
    expect(headers.get("Content-Type")).toMatch(/^text\/plain/);
    expect(text).toContain(`https://desk.example.com/${kind === "waiting_review" ? "review" : "decisions"}/${decisionId}`);
  });

  it("is told to nobody where the project names no address", async () => {
    const decisionId = await notice(house);
    await mailing({ addressOf: () => [] }).runOnce();
    expect(mailbox.got).toEqual([]);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "sent" }]);
  });

  it("goes to the server under the login of the secret, which is told to nobody", async () => {
    const guarded = await openMailbox("right");
    try {
      const decisionId = await notice(house);
      const { said, onError } = faults();
      await mailing({ server: `smtp://desk:wrong-password@127.0.0.1:${guarded.port}`, onError }).runOnce();
      expect(guarded.got).toEqual([]);
      expect(said).toHaveLength(1);
      expect(said[0]).toContain("EAUTH 535");
      for (const word of ["wrong-password", "erin", String(guarded.port)]) expect(said[0]).not.toContain(word);
      house.aheadMs = 6_000;
      await mailing({ server: `smtp://desk:right@127.0.0.1:${guarded.port}` }).runOnce();
      expect(guarded.got).toHaveLength(1);
      expect(await standing(house, decisionId)).toMatchObject([{ state: "sent", attempts: 2 }]);
    } finally {
      await guarded.close();
    }
  });
});

describe("what was taken", () => {
  it("is not sent again because another address or another channel was not ready", async () => {
    const receiver = await openReceiver();
    try {
      const decisionId = await notice(house);
      const addressOf = () => ["one@example.com", "busy@example.com", "three@example.com"];
      mailbox.refuse = (address) => (address.startsWith("busy") && house.aheadMs === 0 ? 450 : null);
      const worker = mailing({ addressOf, hook: receiver.url });
      await worker.runOnce();
      expect(await standing(house, decisionId)).toMatchObject([{ state: "waiting", attempts: 1 }]);
      expect(mailbox.got.map(({ to }) => to[0])).toEqual(["one@example.com", "three@example.com"]);
      house.aheadMs = 6_000;
      await worker.runOnce();
      expect(await standing(house, decisionId)).toMatchObject([{ state: "sent", attempts: 2 }]);
      expect(mailbox.got.map(({ to }) => to[0])).toEqual(["one@example.com", "three@example.com", "busy@example.com"]);
      expect(receiver.got).toHaveLength(1);
    } finally {
      await receiver.close();
    }
  });

  it("stays told where one address is refused for good", async () => {
    const decisionId = await notice(house);
    mailbox.refuse = (address) => (address.startsWith("gone") ? 550 : null);
    const worker = mailing({ addressOf: () => ["gone@example.com", "here@example.com"] });
    await worker.runOnce();
    house.aheadMs = 3_600_000;
    await worker.runOnce();
    expect(mailbox.got.map(({ to }) => to[0])).toEqual(["here@example.com"]);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "failed", attempts: 1 }]);
  });
});

describe("hostile words", () => {
  it.each([
    "a@example.com\r\nBcc: eve@evil.example",
    "a@example.com\n",
    "a@example.com, eve@evil.example",
    "Ada <a@example.com>",
    "a@example.com> SIZE=1\r\nRCPT TO:<eve@evil.example",
    '"a b"@example.com',
    "",
  ])("in an address (%j) are mailed to nobody", async (address) => {
    const decisionId = await notice(house, { to: { kind: "principal", name: address } });
    await mailing({ addressOf: ({ name }) => [name] }).runOnce();
    expect(mailbox.got).toEqual([]);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "failed" }]);
  });

  it("in the place of tenant and decision begin no line of their own, in no header and not in the text", async () => {
    const hostile = "acme\r\nBcc: eve@evil.example\r\n.\r\nMAIL FROM:<x@evil.example>\u2028\u202e";
    const channel = mail({ secret: "SMTP_URL", from, addressOf: () => ["ada@example.com"] });
    const open = channel.open({ secret: `smtp://127.0.0.1:${mailbox.port}`, clock: systemClock });
    const to = { kind: "principal", name: hostile } as const;
    const told = {
      id: house.ids.next(),
      tenant: hostile,
      kind: "outcome",
      decisionId: hostile,
      caseId: hostile,
      to,
      at: 0,
    } as const;
    for (const part of await open.parts(told)) expect(await part.send(new AbortController().signal)).toEqual({ kind: "done" });
    expect(mailbox.got.map(({ to: named }) => named)).toEqual([["ada@example.com"]]);
    const { headers, text } = partsOf(mailbox.got[0] ?? { to: [], raw: "" });
    expect([...headers.keys()].sort()).toEqual([
      ...["Auto-Submitted", "Content-Transfer-Encoding", "Content-Type", "Date", "From", "MIME-Version", "Message-ID"],
      ...["Subject", "To", "X-Countersign-Notice"],
    ]);
    expect(text.split("\r\n").filter((line) => /^(?:Bcc:|MAIL FROM|[.]$)/.test(line))).toEqual([]);
    expect([...headers.values(), text].join()).toMatch(/^[\r\n\x20-\x7e]*$/);
  });
});
