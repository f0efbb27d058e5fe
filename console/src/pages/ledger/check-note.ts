import { bytesOfBase64, hexOf, joined, sha256, utf8 } from "./bytes.ts";

/** What a checkpoint says, once it is read: whose ledger, how many entries, and the root of the tree over them. */
export interface ReadCheckpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array<ArrayBuffer>;
}

/** Reads a checkpoint (C2SP tlog-checkpoint), whoever signed it; `null` where it is none. */
export function readCheckpoint(text: string): ReadCheckpoint | null {
  const [origin = "", size = "", root = "", ...rest] = text.slice(0, Math.max(0, text.lastIndexOf("\n\n"))).split("\n");
  const bytes = bytesOfBase64(root);
  if (origin === "" || rest.length > 0 || bytes === null || bytes.length !== 32 || !/^(?:0|[1-9][0-9]{0,15})$/.test(size))
    return null;
  return { origin, size: Number(size), root: bytes };
}

/** What was found of a signature: `cannot` where this browser has no Ed25519. */
export type SignatureCheck = "good" | "bad" | "cannot";

/** Checks the signature of a checkpoint by a note key, `<origin>+<id>+<key>` (C2SP signed-note, Ed25519). */
export async function checkSignature(text: string, noteKey: string): Promise<SignatureCheck> {
  const at = text.lastIndexOf("\n\n");
  const [origin = "", id = "", ...rest] = noteKey.split("+");
  const key = bytesOfBase64(rest.join("+"));
  if (at < 1 || key === null || key.length !== 33 || key[0] !== 1) return "bad";
  const ownId = (await sha256(joined(utf8(`${origin}\n`), key))).subarray(0, 4);
  if (hexOf(ownId) !== id || !text.startsWith(`${origin}\n`)) return "bad";
  const signature = signatureOf(text.slice(at + 2), { origin, id });
  if (signature === null) return "bad";
  try {
    const verifying = await crypto.subtle.importKey("raw", key.slice(1), "Ed25519", false, ["verify"]);
    return (await crypto.subtle.verify("Ed25519", verifying, signature, utf8(text.slice(0, at + 1)))) ? "good" : "bad";
  } catch {
    return "cannot";
  }
}

/** The 64 bytes that the key of this name and id signed; lines of others, such as witnesses, are left alone. */
function signatureOf(
  lines: string,
  { origin, id }: { readonly origin: string; readonly id: string },
): Uint8Array<ArrayBuffer> | null {
  for (const line of lines.split("\n")) {
    const [dash, name, text = ""] = line.split(" ");
    const bytes = bytesOfBase64(text);
    if (dash === "—" && name === origin && bytes?.length === 68 && hexOf(bytes.subarray(0, 4)) === id) return bytes.slice(4);
  }
  return null;
}
