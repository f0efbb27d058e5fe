/** A vector as it is kept: 32-bit floats, the least significant byte first, whatever this machine's own order is. */
export function bytesOfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes;
}

/** The values of vectors that are kept so, one after another. */
export function valuesOfBytes(bytes: Buffer): Float32Array {
  const values = new Float32Array(bytes.byteLength / 4);
  for (let at = 0; at < values.length; at += 1) values[at] = bytes.readFloatLE(at * 4);
  return values;
}
