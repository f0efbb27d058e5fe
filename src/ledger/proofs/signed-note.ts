import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import { CountersignError } from "../../contract/errors.ts";
import type { SigningKey } from "../../store/signature.ts";
import { bytesOfBase64 } from "./strict-base64.ts";

/** A key that may have signed a note: the name it signs under and its four-byte id (C2SP signed-note). */
export interface NoteKey {
  readonly name: string;
  readonly id: Buffer;
  readonly key: KeyObject;
}

/** The type of Ed25519 keys in a note key (C2SP signed-note). */
const ed25519 = 1;
/** How many signatures of others a note may carry besides ours. */
const mostSignatures = 64;

/**
 * The public half of a signing key as a note key, `<name>+<id>+<key>`: what is handed to whoever checks signatures. Throws
 * `configuration_invalid` for a name that holds spaces or a plus.
 */
export function noteKeyText({ name, key }: { name: string; key: SigningKey }): string {
  if (!isName(name)) throw new CountersignError("configuration_invalid", "the name of a note key holds no spaces and no plus");
  const bytes = keyBytes(rawKeyOf(key));
  return `${name}+${keyIdOf(name, bytes).toString("hex")}+${bytes.toString("base64")}`;
}

/** Reads a note key (C2SP signed-note, Ed25519). Throws `bad_request` where it is none, or its id is not that of its name and key. */
export function readNoteKey(text: string): NoteKey {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  const bytes = bytesOfBase64(rest.join("+"), 33);
  if (!isName(name) || bytes === null || bytes[0] !== ed25519 || keyIdOf(name, bytes).toString("hex") !== id) {
    throw new CountersignError("bad_request", "the key is no `<name>+<id>+<key>` of an Ed25519 key (C2SP signed-note)");
  }
  return { name, id: keyIdOf(name, bytes), key: publicKeyOf(bytes.subarray(1)) };
}

/** Signs a text of whole lines as a note: the text, an empty line, and `— <name> <signature>`. */
export function signNote({ text, name, key }: { text: string; name: string; key: SigningKey }): string {
  const id = keyIdOf(name, keyBytes(rawKeyOf(key)));
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key.privateKey)]);
  return `${text}\n— ${name} ${signature.toString("base64")}\n`;
}

/**
 * The text of a note that one of these keys signed; `null` where it is no note (`invalid`) or none of them did (`unsigned`). Signatures
 * under other keys, such as those of witnesses, are left alone; one of a key that is known and is not good makes all of it unsigned.
 */
export function openNote(note: string, keys: readonly NoteKey[]): { readonly text: string } | "invalid" | "unsigned" {
  const parts = partsOf(note);
  if (parts === null) return "invalid";
  let isSigned = false;
  for (const { name, bytes } of parts.signatures) {
    const known = keys.find((one) => one.name === name && one.id.equals(bytes.subarray(0, 4)));
    if (known === undefined) continue;
    if (bytes.length !== 68 || !verify(null, Buffer.from(parts.text), known.key, bytes.subarray(4))) return "unsigned";
    isSigned = true;
  }
  return isSigned ? { text: parts.text } : "unsigned";
}

interface NoteParts {
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[];
}

function partsOf(note: string): NoteParts | null {
  const at = note.lastIndexOf("\n\n");
  if (at < 1 || !note.endsWith("\n") || !isPlain(note)) return null;
  const lines = note.slice(at + 2, -1).split("\n");
  if (lines.length > mostSignatures) return null;
  const signatures = lines.map(signatureOf);
  return signatures.every((one) => one !== null) ? { text: note.slice(0, at + 1), signatures } : null;
}

function signatureOf(line: string): NoteParts["signatures"][number] | null {
  const [dash, name = "", text = "", ...rest] = line.split(" ");
  const bytes = bytesOfBase64(text, null);
  if (dash !== "—" || !isName(name) || rest.length > 0 || bytes === null || bytes.length < 5) return null;
  return { name, bytes };
}

function isName(text: string): boolean {
  return text.length > 0 && text.length <= 255 && /^[\x21-\x2a\x2c-\x7e]+$/.test(text);
}

/** Without control characters but the ends of lines, as a note must be. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 && code !== 0x0a) return false;
  }
  return text.isWellFormed();
}

function keyIdOf(name: string, bytes: Buffer): Buffer {
  return hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), bytes]), "buffer").subarray(0, 4);
}

function keyBytes(raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from([ed25519]), raw]);
}

/** What stands before the 32 bytes of an Ed25519 key in SPKI, DER (RFC 8410). */
const spkiHead = Buffer.from("302a300506032b6570032100", "hex");

function publicKeyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: "der", type: "spki" });
}

function rawKeyOf({ privateKey }: SigningKey): Buffer {
  return createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(spkiHead.length);
}
