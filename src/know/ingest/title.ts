import type { ParsedFile } from "./parsed.ts";

const longest = 300;

/** What a document is called where nobody says it: its own title, else its file's name. */
export function titleOf({ title }: Pick<ParsedFile, "title">, path: string): string {
  const own = (title ?? "").replace(/[\p{Cc}\p{Cs}]+/gu, " ").trim();
  if (own !== "") return own.slice(0, longest);
  const name = path.split("/").at(-1) ?? path;
  return (
    name
      .replace(/\.[^.]+$/, "")
      .replace(/[_-]+/g, " ")
      .trim()
      .slice(0, longest) || name.slice(0, longest)
  );
}
