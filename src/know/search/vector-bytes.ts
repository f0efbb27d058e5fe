import { endianness } from "node:os";

/** A vector as it is kept: 32-bit floats, the least significant byte first, whatever this machine's own order is. */
export function bytesOfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes;
}

/** The values of vectors that are kept so, one after another. */
export function valuesOfBytes(bytes: Buffer): Float32Array {
  // A copy of its own: values begin at a multiple of four, and hold nothing of the buffer beside them.
  const copy = Buffer.from(new ArrayBuffer(bytes.byteLength));
  bytes.copy(copy);
  if (endianness() === "BE") copy.swap32();
  return new Float32Array(copy.buffer, copy.byteOffset, copy.byteLength / 4);
}
