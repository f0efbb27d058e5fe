/** Longer lines are no line of an export. */
const longestLine = 64 * 1024 * 1024;

/** Splits bytes into lines; `null` for one that is no UTF-8, is too long (and then nothing follows), or does not end in a newline. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (parts: readonly Buffer[]): string | null => {
    try {
      return decoder.decode(Buffer.concat(parts));
    } catch {
      return null;
    }
  };
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      yield decoded([...rest, chunk.subarray(start, at)]);
      [rest, length, start] = [[], 0, at + 1];
    }
    rest.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > longestLine) return void (yield null);
  }
  if (length > 0) yield null;
}
