import { createHash } from "node:crypto";
import { z } from "zod";
import type { FiledPassage } from "../../src/contract/knowledge.ts";
import type { FiledVersion } from "../../src/know/search/write.ts";

const turn = z.object({ dia_id: z.string(), speaker: z.string(), text: z.string(), blip_caption: z.string().optional() });

/** The form of a conversation in the set. */
export const conversationForm = z.object({
  conversation_id: z.string(),
  sessions: z.array(z.object({ session: z.number(), date_time: z.string(), iso: z.string(), turns: z.array(turn) })),
});
export type Conversation = z.infer<typeof conversationForm>;

/** The label that opens a conversation, and nothing else. */
export function labelOf({ conversation_id: id }: Pick<Conversation, "conversation_id">): string {
  return `conversation:${id}`;
}

/** How the id of each passage of a conversation begins, and of nothing else. */
export function passagesOf({ conversation_id: id }: Pick<Conversation, "conversation_id">): string {
  return `passage:conversation-${id}:1:`;
}

/** The ids of the turns in their order: that of a passage's position is the one before it. */
export function turnIds({ sessions }: Conversation): readonly string[] {
  return sessions.flatMap(({ turns }) => turns.map((one) => one.dia_id));
}

/** A conversation as a document: its turns as they are, each with who speaks as what it is about, under the date of their session. */
export function documentOf(conversation: Conversation): FiledVersion {
  const id = `conversation-${conversation.conversation_id}`;
  let from = 0;
  const passages = conversation.sessions.flatMap(({ date_time: date, turns }) =>
    turns.map(({ speaker, text, blip_caption: caption }): FiledPassage => {
      const said = `${speaker}: ${text}${caption === undefined ? "" : ` [${caption}]`}`;
      const place = { from, to: from + said.length };
      from = place.to + 1;
      return { sectionPath: [date], page: null, ...place, contextLine: speaker, text: said };
    }),
  );
  return {
    document: {
      ...{
        id,
        version: "1",
        title: "",
        collection: "turns",
        owner: "bench",
        source: null,
        status: "current",
        supersededBy: null,
      },
      ...{ isAuthority: false, validFrom: 0, validTo: null, scopes: [labelOf(conversation)], metadata: {} },
      contentHash: createHash("sha256").update(JSON.stringify(conversation)).digest("hex"),
    },
    passages,
  };
}
