import { type Embedder, vectorsOf } from "../../contract/embedder.ts";
import type { FiledPassage } from "../../contract/knowledge.ts";

/**
 * Gives each passage its vector, of its text below its headings, so that both are filed in one transaction. Asks the embedder, so call it before the
 * transaction begins. Throws `model_unavailable`: a document without vectors would be missing for whoever asks in other words.
 */
export async function withVectors(
  embedder: Embedder,
  { title, passages }: { title: string; passages: readonly FiledPassage[] },
): Promise<readonly FiledPassage[]> {
  const name = vectorsOf(embedder);
  const vectors = await embedder.embedDocuments(passages.map((passage) => embeddedText(title, passage)));
  return passages.map((passage, at) => {
    const vector = vectors[at];
    return vector === undefined ? passage : { ...passage, vectors: { ...passage.vectors, [name]: vector } };
  });
}

/** What of a passage its vector stands for. */
export function embeddedText(
  title: string,
  { sectionPath, contextLine = "", text }: Pick<FiledPassage, "sectionPath" | "contextLine" | "text">,
): string {
  return [title, ...sectionPath, contextLine, text].filter((line) => line !== "").join("\n");
}
