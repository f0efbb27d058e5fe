import { endianness } from "node:os";

/** A vector as it is kept: 32-bit floats, the least significant byte first, whatever this machine's own order is. */
export function bytesOfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes;
}

/** The values of vectors that are kept so, one after another, from base64. `length` is how many values these are. */
export function valuesOf(base64: string, length: number): Float32Array {
  // Decoded to where the values stay: what passes through another buffer has the collector of garbage look through all that the process holds.
  const bytes = Buffer.from(new ArrayBuffer(length * 4));
  bytes.write(base64, "base64");
  if (endianness() === "BE") bytes.swap32();
  return new Float32Array(bytes.buffer);
}
