/** JSON to be sent. Bytes are put in as they are, so that what is not JSON can stand inside what is. */
export type Wire = null | boolean | number | string | Uint8Array | readonly Wire[] | WireObject;

/** A JSON object to be sent; members that are `undefined` are left out. */
export type WireObject = { readonly [key: string]: Wire | undefined };

/** One server-sent event. Final ones are those that a stream needs to have ended well. */
export interface StreamEvent {
  readonly name: string | null;
  readonly data: Wire;
  readonly isFinal: boolean;
}

/** Writes JSON as bytes. */
export function writeJson(value: Wire): Buffer {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return Buffer.concat(parts);
}

/** Puts quotes around the inside of a JSON string. */
export function quoted(inside: Uint8Array): Buffer {
  return Buffer.concat([quote, inside, quote]);
}

/** Writes a server-sent event as bytes. */
export function writeEvent({ name, data }: StreamEvent): Buffer {
  return Buffer.concat([Buffer.from(name === null ? "data: " : `event: ${name}\ndata: `), writeJson(data), Buffer.from("\n\n")]);
}

const quote = Buffer.from('"');

function write(value: Wire, parts: Uint8Array[]): void {
  if (value instanceof Uint8Array) parts.push(value);
  else if (value === null || typeof value !== "object") parts.push(Buffer.from(JSON.stringify(value)));
  else if (isList(value)) writeAll({ open: "[", close: "]", members: value.map((member) => ["", member]) }, parts);
  else writeAll({ open: "{", close: "}", members: membersOf(value) }, parts);
}

function writeAll(
  { open, close, members }: { open: string; close: string; members: readonly (readonly [string, Wire])[] },
  parts: Uint8Array[],
): void {
  members.forEach(([key, member], at) => {
    parts.push(Buffer.from(`${at === 0 ? open : ","}${key}`));
    write(member, parts);
  });
  parts.push(Buffer.from(members.length === 0 ? open + close : close));
}

function membersOf(value: WireObject): readonly (readonly [string, Wire])[] {
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [[`${JSON.stringify(key)}:`, member] as const],
  );
}

function isList(value: readonly Wire[] | WireObject): value is readonly Wire[] {
  return Array.isArray(value);
}
