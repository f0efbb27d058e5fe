import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSigningKey } from "../../store/signature.ts";
import { readCheckpoint, signCheckpoint } from "./checkpoint.ts";
import { emptyRoot } from "./merkle.ts";
import { noteKeyText, openNote, readNoteKey } from "./signed-note.ts";

const newKey = () =>
  readSigningKey(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"));
const key = newKey();
const origin = "ledger.example.com/acme";
const ours = [readNoteKey(noteKeyText({ name: origin, key }))];
const checkpoint = { origin, size: 12, root: emptyRoot };
const text = signCheckpoint(checkpoint, key);

/** The example of Go's package `sumdb/note`, which the form of signed notes comes from. */
const known = {
  key: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature: "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=",
};

describe("signed notes", () => {
  test("of others are read: the known answer of the form's own documentation", () => {
    const note = `${known.text}\n— PeterNeumann ${known.signature}\n`;
    expect(openNote(note, [readNoteKey(known.key)])).toEqual({ text: known.text });
    expect(openNote(note.replace("answer", "anzwer"), [readNoteKey(known.key)])).toBe("unsigned");
    expect(openNote(note, ours)).toBe("unsigned");
  });

  test("a key whose id is not that of its name and bytes is no key", () => {
    for (const bad of [
      known.key.replace("c74f", "c74e"),
      known.key.replace("Peter", "Paul"),
      `${known.key}A`,
      "",
      "a+b",
      "a+b+c",
    ])
      expect(() => readNoteKey(bad)).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(() => noteKeyText({ name: "two words", key })).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
  });
});

describe("checkpoints", () => {
  test("are read as they were signed", () => {
    expect(text).toMatch(
      /^ledger\.example\.com\/acme\n12\n[A-Za-z0-9+/]{43}=\n\n— ledger\.example\.com\/acme [A-Za-z0-9+/]{91}=\n$/,
    );
    expect(readCheckpoint(text, ours)).toEqual(checkpoint);
  });

  test("a witness's signature beside ours is left alone, and does not stand in for ours", () => {
    const witness = "— witness.example.org AAAAAAAA\n";
    expect(readCheckpoint(`${text}${witness}`, ours)).toEqual(checkpoint);
    expect(readCheckpoint(text.replace(/— .*\n$/, witness), ours)).toBe("checkpoint_unsigned");
  });

  test("under another key, under a key of another tenant's, and changed, they are not believed", () => {
    expect(readCheckpoint(signCheckpoint(checkpoint, newKey()), ours)).toBe("checkpoint_unsigned");
    const other = signCheckpoint({ ...checkpoint, origin: "ledger.example.com/other" }, key);
    expect(readCheckpoint(other, ours)).toBe("checkpoint_unsigned");
    expect(readCheckpoint(text.replace("\n12\n", "\n13\n"), ours)).toBe("checkpoint_unsigned");
    const twice = `${text}— ${origin} ${signCheckpoint({ ...checkpoint, size: 1 }, key)
      .split(" ")
      .at(-1)}`;
    expect(readCheckpoint(twice, ours)).toBe("checkpoint_unsigned");
  });

  test("have one spelling", () => {
    const spellings = [
      text.replace("\n12\n", "\n012\n"),
      text.replace("\n12\n", "\n+12\n"),
      text.replace("\n12\n", "\n99999999999999999999\n"),
      text.replace("\n\n", "\nmore\n\n"),
      text.replace("\n\n", "\r\n\r\n"),
      text.replace("=\n\n", "\n\n"),
      text.slice(0, -1),
      `${text}\n`,
      `${text.slice(0, -1)} \n`,
      text.replace("—", "-"),
      "",
      "\n\n",
    ];
    for (const one of spellings) expect(readCheckpoint(one, ours), JSON.stringify(one)).toBe("checkpoint_invalid");
  });

  test("no changed character is believed to be what was signed, and no text makes the reader fail", () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1, unit: "binary" }), (at, unit) => {
        const changed = text.slice(0, at) + unit + text.slice(at + 1);
        if (changed !== text) expect(typeof readCheckpoint(changed, ours)).toBe("string");
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (any) => typeof readCheckpoint(any, ours) === "string"));
  });
});
