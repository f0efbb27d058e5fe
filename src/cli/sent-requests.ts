import { open } from "node:fs/promises";
import { z } from "zod";

const line = z.object({ digest: z.string(), text: z.string() });

/** What the decider of a world has sent to models until now, by the digests of requests. */
export interface SentRequests {
  readonly of: (digests: readonly string[]) => Promise<readonly string[]>;
}

/** Follows the file to which the decider of a trial writes; it is read on from where it was each time. */
export function followSent(path: string): SentRequests {
  const texts = new Map<string, string[]>();
  let at = 0;
  let reading = Promise.resolve();
  const readOn = async (): Promise<void> => {
    const rest = await textFrom(path, at);
    // What is being written right now has no end yet.
    const whole = rest.subarray(0, rest.lastIndexOf(0x0a) + 1);
    at += whole.length;
    for (const one of whole
      .toString("utf8")
      .split("\n")
      .filter((text) => text !== "")) {
      const { digest, text } = line.parse(JSON.parse(one));
      texts.set(digest, [...(texts.get(digest) ?? []), text]);
    }
  };
  return {
    of: async (digests) => {
      reading = reading.then(readOn);
      await reading;
      return [...new Set(digests)].flatMap((digest) => texts.get(digest) ?? []);
    },
  };
}

async function textFrom(path: string, from: number): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const room = Buffer.alloc(Math.max(0, size - from));
      const { bytesRead } = await file.read(room, 0, room.length, from);
      return room.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return Buffer.alloc(0);
    throw thrown;
  }
}
