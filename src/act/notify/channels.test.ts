import { describe, expect, it } from "vitest";
import { checkHands, secretsOf } from "../check-hands.ts";
import type { Hands } from "../hands.ts";
import { mostAttempts, restMs } from "./back-off.ts";
import { mail } from "./mail.ts";
import { smtpServer } from "./smtp-server.ts";
import { webhook } from "./webhook.ts";

const hook = (name: string, secret = "SIGNING") => webhook({ url: "https://hooks.example.com/", secret, name });

describe("a webhook's URL", () => {
  it.each(["https://hooks.example.com/x?y=1", "http://localhost:8080/", "http://127.0.0.1/", "http://[::1]:9/"])(
    "may be %s",
    (url) => {
      expect(webhook({ url, secret: "SIGNING" }).secret).toBe("SIGNING");
    },
  );

  it.each([
    ...["http://hooks.example.com/", "http://127.0.0.1.evil.example/", "http://0.0.0.0/", "http://localhost.evil.example/"],
    ...["https://user:pass@hooks.example.com/", "https://hooks.example.com/#x", "file:///etc/passwd", "hooks", ""],
  ])("may not be %s", (url) => {
    expect(() => webhook({ url, secret: "SIGNING" })).toThrow(expect.objectContaining({ code: "definition_invalid" }));
  });
});

describe("a mail server's URL", () => {
  it("is without encryption on this machine alone", () => {
    expect(smtpServer("smtps://u:p%40ss@mail.example.com", "N")).toMatchObject({
      port: 465,
      secure: true,
      auth: { user: "u", pass: "p@ss" },
    });
    expect(smtpServer("smtp://mail.example.com", "N")).toMatchObject({
      port: 587,
      secure: false,
      requireTLS: true,
      ignoreTLS: false,
    });
    expect(smtpServer("smtp://127.0.0.1:25", "N")).toMatchObject({ port: 25, requireTLS: false, ignoreTLS: true });
  });

  it.each([
    "",
    "mail.example.com",
    "https://mail.example.com",
    "smtps://u:hidden@m.example?tls.rejectUnauthorized=false",
    "smtps://u:hidden@m/x",
    "smtps://u:hidden%@m",
  ])("is not %j, and its value is not told", (value) => {
    expect(() => smtpServer(value, "SMTP_URL")).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
    expect(() => smtpServer(value, "SMTP_URL")).not.toThrow(/hidden/);
  });
});

describe("channels", () => {
  const hands = (...notify: NonNullable<Hands["notify"]>): Hands => ({ records: [], hands: [], notify });

  it("have names of their own", () => {
    expect(() => checkHands({ project: { effects: [] }, hands: hands(hook("a"), hook("a")) })).toThrow(
      /two channels are called `a`/,
    );
    expect(() => checkHands({ project: { effects: [] }, hands: hands(hook("A b")) })).toThrow(/a channel's name/);
    expect(() => checkHands({ project: { effects: [] }, hands: hands(hook("a"), hook("b")) })).not.toThrow();
  });

  it("have their secrets on the writing side", () => {
    const byMail = mail({ secret: "SMTP_URL", from: "a@example.com", addressOf: () => [] });
    expect(secretsOf(hands(hook("a"), byMail)).writes).toEqual(["SIGNING", "SMTP_URL"]);
  });

  it("send mail from a plain address alone, with a link to a plain URL alone", () => {
    const make =
      (from: string, desk: string | null = null) =>
      () =>
        mail({ secret: "S", from, desk, addressOf: () => [] });
    for (const from of ["", "Ada <a@example.com>", "a@example.com\r\nBcc: b@example.com"])
      expect(make(from)).toThrow(/no plain address/);
    for (const desk of ["desk", "javascript:alert(1)", "https://a:b@desk.example.com"])
      expect(make("a@example.com", desk)).toThrow(/no plain URL/);
  });
});

describe("the rest between attempts", () => {
  it("doubles, is spread, and all attempts take half a day at most", () => {
    const rests = (id: string) => Array.from({ length: mostAttempts - 1 }, (_, place) => restMs({ id, attempts: place + 1 }));
    expect(rests("0-ffff").slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
    expect(restMs({ id: "0-0000", attempts: 1 })).toBe(2_500);
    const total = rests("0-ffff").reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeGreaterThan(6 * 3_600_000);
    expect(total).toBeLessThan(12 * 3_600_000);
  });
});
