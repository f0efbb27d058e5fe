import type { ParsedFile } from "./parsed.ts";
import { shorten } from "./shorten.ts";

const longest = 300;

/** What a document is called where nobody says it: its own title, else its file's name. */
export function titleOf({ title }: Pick<ParsedFile, "title">, path: string): string {
  const own = (title ?? "").replace(/[\p{Cc}\p{Cs}]+/gu, " ").trim();
  if (own !== "") return shorten(own, longest);
  const name = path.split("/").at(-1) ?? path;
  const plain = name
    .replace(/\.[^.]+$/, "")
    .replace(/[_-]+/g, " ")
    .trim();
  return shorten(plain === "" ? name : plain, longest);
}
