import { describe, expect, it } from "vitest";
import { neverCancelled } from "../contract/cancel.ts";
import type { KnownValue } from "../contract/privacy.ts";
import { type Boundary, openBoundary } from "../guard/privacy/boundary.ts";
import { decodeReply } from "./decode-reply.ts";
import { openPrivacyParts } from "./open-privacy-parts.ts";

const mail = "ada.moll@corvane.example";
const owl: KnownValue = { value: 'Project "Owl" \\ north', class: "term" };

/** A boundary that a text passed, and what stands in it for the text. */
async function passed(text: string): Promise<{ readonly boundary: Boundary; readonly sent: string }> {
  const parts = openPrivacyParts({ files: { policy: null, dictionaries: new Map([["acme", [owl]]]) }, recogniser: null });
  const structured = parts.structured({ tenant: "acme", values: [] });
  const boundary = openBoundary({ rules: parts.policy.rules, region: "eu", key: parts.newKey(), structured, recogniser: null });
  const { payload } = await boundary.encode({ text }, neverCancelled);
  return { boundary, sent: payload.text };
}

const reply = (text: string, stopReason: "end" | "length" = "end") => ({ text, stopReason, usage: null });

describe("a reply", () => {
  it("has its values back, in leaves and keys, and is written anew as JSON", async () => {
    const { boundary, sent } = await passed(mail);
    const decoded = decodeReply(reply(`{"to": "${sent}", "${sent}": [ "${sent}", 1 ]}`), boundary);
    const text = JSON.stringify({ to: mail, [mail]: [mail, 1] });
    expect(decoded).toEqual({ kind: "whole", text, kept: text, stopReason: "end", isReadAgain: true });
  });

  it("stays JSON where a value has a quotation mark and a backslash in it", async () => {
    const { boundary, sent } = await passed(owl.value);
    const decoded = decodeReply(reply(JSON.stringify({ about: sent })), boundary);
    expect(JSON.parse(decoded.text)).toEqual({ about: owl.value });
  });

  it("stays as it came, byte for byte, where nothing stood in for anything, and where there is no boundary", async () => {
    const { boundary } = await passed(mail);
    const text = '{ "n" : 1.0 , "a":"x" }';
    for (const one of [boundary, null])
      expect(decodeReply(reply(text), one)).toMatchObject({ text, kept: text, isReadAgain: true });
  });

  it("is read as it came and kept with its values where it is no JSON, or was cut", async () => {
    const { boundary, sent } = await passed(mail);
    for (const one of [reply(`Write to ${sent}.`), reply(`{"to":"${sent}"`, "length"), reply(`{"to":"${sent}"}`, "length")]) {
      const decoded = decodeReply(one, boundary);
      expect(decoded).toMatchObject({ kind: "whole", text: one.text, isReadAgain: false });
      expect(decoded.kept).toContain(mail);
    }
  });

  it("is not read where a stand-in was changed, and what is told of it quotes nothing", async () => {
    const { boundary, sent } = await passed(mail);
    const text = JSON.stringify({ to: sent.replace(/^./, (first) => (first === "x" ? "y" : "x")) });
    const decoded = decodeReply(reply(text), boundary);
    expect(decoded).toMatchObject({ kind: "altered", kept: text, isReadAgain: false });
    expect(JSON.stringify(decoded)).not.toContain(mail);
  });

  it("is a misfit in words of ours where decoding throws, whatever the error quotes", async () => {
    const { boundary, sent } = await passed(mail);
    const thrower = (): never => {
      throw new RangeError(`cannot hold ${mail}`);
    };
    const broken: Boundary = { ...boundary, decodeJson: thrower, decodeText: thrower };
    for (const text of [JSON.stringify({ to: sent }), `Write to ${sent}.`]) {
      const decoded = decodeReply(reply(text), broken);
      const problem = "the values could not be put back into the reply; say less, and copy stand-ins letter by letter";
      expect(decoded).toMatchObject({ kind: "altered", problem, kept: text, isReadAgain: false });
    }
  });

  it("is a misfit where a stand-in for a long value is said so often that no text could hold the values", async () => {
    const { boundary, sent } = await passed(Buffer.from(`${mail} ${"lorem ipsum ".repeat(8_000)}`).toString("base64"));
    const times = Math.floor(900_000 / (sent.length + 1));
    expect(sent.length).toBeLessThan(100);
    expect(decodeReply(reply(JSON.stringify([`${sent} `.repeat(times)])), boundary).kind).toBe("altered");
    expect(decodeReply(reply(`${sent} `.repeat(times)), boundary)).toMatchObject({ kind: "whole", isReadAgain: true });
  });
});
