import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** A value that no output may hold, in any form: its name, and the text or bytes themselves. */
export interface Canary {
  readonly name: string;
  readonly value: string | Buffer;
}

/** Something that came out of the house: where, and every byte of it. */
export interface Output {
  readonly place: string;
  readonly bytes: Buffer;
}

interface Form {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Names each output that holds a canary, with the form in which it does; never the value. */
export function leaksIn(outputs: readonly Output[], canaries: readonly Canary[]): string[] {
  const forms = canaries.flatMap(({ name, value }) =>
    formsOf(value).map((form) => ({ ...form, name: `${name} as ${form.name}` })),
  );
  const found = outputs.flatMap(({ place, bytes }) =>
    forms.filter((form) => bytes.includes(form.bytes)).map(({ name }) => `${place} holds ${name}`),
  );
  return [...new Set(found)];
}

/** The forms in which a value may stand in an output. */
export function formsOf(value: string | Buffer): readonly Form[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const text = typeof value === "string" ? textForms(value) : [];
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    const core = base64Core(bytes, shift);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")].map((form) => ["base64", form] as const);
  });
  const all = [["hex", hex], ["hex", hex.toUpperCase()], ...inBase64, ...text] as const;
  const forms = [{ name: "plain", bytes }, ...all.map(([name, form]) => ({ name, bytes: Buffer.from(form) }))];
  // Many values look the same in several forms; each is looked for once.
  return forms.filter((one, place) => forms.findIndex((other) => other.bytes.equals(one.bytes)) === place);
}

function textForms(value: string): readonly (readonly [string, string])[] {
  const url = encodeURIComponent(value);
  return [
    ["URL-encoded", url],
    ["URL-encoded", url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ["URL-encoded", new URLSearchParams({ v: value }).toString().slice(2)],
    ["JSON", JSON.stringify(value).slice(1, -1)],
    ["JSON in JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ["HTML", value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
  ];
}

/** What base64 makes of the value where it begins at any byte of three: the characters that depend on nothing beside it. */
function base64Core(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const before = Math.ceil((shift * 8) / 6);
  const after = Math.floor(((shift + bytes.length) * 8) / 6);
  return whole.slice(before, after);
}

/** Every file below a folder, but those that a test names. */
export async function filesIn(folder: string, isLeftOut: (path: string) => boolean): Promise<Output[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const outputs: Output[] = [];
  for (const path of paths.filter((one) => !isLeftOut(relative(folder, one)))) {
    // The database may drop a file meanwhile.
    const bytes = await readFile(path).catch(() => null);
    if (bytes !== null) outputs.push({ place: `the file ${relative(folder, path)}`, bytes });
  }
  return outputs;
}
