import type { FoundPassages, Passage } from "../../../../src/contract/found-passages.ts";
import { plainName } from "../../words/plain.ts";

/** What a row of a leg or of the joined list says. */
export interface RowWords {
  readonly title: string;
  readonly place: string;
}

/** A leg's name for people. */
export function legName(name: string): string {
  if (name === "lexical") return "Words";
  return name === "dense" ? "Meaning" : plainName(name);
}

/** Names passages by their ids: by title and place where they were brought, else by what the id says. */
export function namesOf({ content }: FoundPassages): (id: string) => RowWords {
  const byId = new Map(content.map((passage) => [passage.id, passage]));
  return (id) => {
    const passage = byId.get(id);
    return passage === undefined ? wordsOfId(id) : { title: `${passage.title} ${passage.version}`, place: placeOf(passage) };
  };
}

/** Where a passage stands in its document. */
export function placeOf({ section, page }: Pick<Passage, "section" | "page">): string {
  return [section, page === undefined ? "" : `page ${page}`].filter((part) => part !== "").join(", ");
}

function wordsOfId(id: string): RowWords {
  const [, document = id, ...rest] = id.split(":");
  const place = rest.pop();
  return { title: `${document} ${rest.join(":")}`.trim(), place: place === undefined ? "" : `passage ${place}` };
}
