import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";

const found = (text: string): [string, string, string][] =>
  findStructured(text).map(({ class: of, kind, start, end }) => [of, kind, text.slice(start, end)]);

const made = (prefix: string, length: number): string => prefix + "a1B2c3D4".repeat(12).slice(0, length);
const token = `${made("eyJ", 20)}.${made("eyJ", 30)}.${made("", 40)}`;
const privateKey = `-----BEGIN RSA PRIVATE KEY-----\n${made("", 64)}\n${made("", 20)}==\n-----END RSA PRIVATE KEY-----`;

describe("keys and passwords", () => {
  it.each([
    ["secret", "key", `use ${made("sk-", 32)} here`, made("sk-", 32)],
    ["secret", "key", `${made("ghp_", 36)}`, made("ghp_", 36)],
    ["secret", "key", "id AKIAABCDEFGHIJKLMNOP end", "AKIAABCDEFGHIJKLMNOP"],
    ["secret", "key", `xoxb-1234567890-${made("", 20)}`, `xoxb-1234567890-${made("", 20)}`],
    ["secret", "key", `jwt ${token}`, token],
    ["secret", "key", `Authorization: Bearer ${made("", 30)}`, made("", 30)],
    ["secret", "private_key", `key:\n${privateKey}\nend`, privateKey],
    ["secret", "password", "password: hunter2", "hunter2"],
    ["secret", "password", "my password is Tr0ub4dor&3.", "Tr0ub4dor&3"],
    ["secret", "password", "Passwort=geheimnis", "geheimnis"],
    ["secret", "key", `"api_key": "${made("", 24)}"`, made("", 24)],
    ["url_credential", "user_info", "https://jane:s3cr3t@localhost/x", "jane:s3cr3t"],
    ["url_credential", "user_info", "https://jane:s3cr3t@shop.test/x", "jane:s3cr3t@shop.test"],
    ["url_credential", "parameter", `https://x.example/?id=1&token=${made("", 20)}&y=2`, made("", 20)],
    ["url_credential", "parameter", "https://x.example/a?api_key=abcd1234", "abcd1234"],
  ])("finds %s (%s) in: %s", (of, kind, text, value) => {
    expect(found(text)).toContainEqual([of, kind, value]);
  });

  it("covers a private key that was cut off", () => {
    const cut = privateKey.slice(0, 80);
    expect(found(`${cut}\n\nand so on`)).toEqual([["secret", "private_key", cut]]);
  });

  it.each([
    "the password is required",
    "password: process.env.SMTP_PASSWORD",
    'secret: "SMTP_PASSWORD"',
    "const password = await ask()",
    "const password = promptUser()",
    "token budget: 2000",
    "a bearer of good news",
    "reset your password: https://x.example/reset",
    "url.password = password;",
    "sk-learn and task-list",
    "https://x.example/?page=2&sort=asc",
    "wrong password, try again",
  ])("leaves %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});
