import { open } from "node:fs/promises";
import { z } from "zod";
import type { Played } from "../evals/played.ts";

const line = z.object({ digest: z.string(), text: z.string() });

/** What the decider of a world has sent to models until now. */
export interface SentRequests {
  /** What was sent in these calls, and how many replies came to requests that are not there: what is not known is not nothing. */
  readonly of: (calls: readonly AskedCall[]) => Promise<Pick<Played, "sent" | "unknownSent">>;
}

/** One call of a model: the digest of its request, and why no reply came; `null` where one did. */
interface AskedCall {
  readonly requestDigest: string;
  readonly fault: string | null;
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
    of: async (calls) => {
      reading = reading.then(readOn);
      await reading;
      const byDigest = [...Map.groupBy(calls, ({ requestDigest }) => requestDigest)].map(([digest, of]) => {
        const sent = texts.get(digest) ?? [];
        const replied = of.filter(({ fault }) => fault === null).length;
        return { sent, unknown: Math.max(0, replied - sent.length) };
      });
      return {
        sent: byDigest.flatMap(({ sent }) => sent),
        unknownSent: byDigest.reduce((sum, { unknown }) => sum + unknown, 0),
      };
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
