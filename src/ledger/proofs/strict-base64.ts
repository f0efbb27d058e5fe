/** The bytes of standard base64 (RFC 4648, 4) in its one spelling, or `null`; `length` bytes where that is given. */
export function bytesOfBase64(text: string, length: number | null): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  // Decoding skips what is not base64, so another text could give the same bytes.
  return bytes.toString("base64") === text && (length === null || bytes.length === length) ? bytes : null;
}
