import type { LoadedContext } from "countersign";

/** Digits with what joins them, so that `2,500`, `3.1` and `08:00` are each one number. */
const number = /\d+(?:[.,:/-]\d+)*/g;

/** The numbers of a text, as they are written; bindings and ids in them are not numbers of the text. */
export function numbersIn(text: string): string[] {
  return text.replace(/\{\{[^}]*\}\}/g, "").match(number) ?? [];
}

/** What of a context item counts as its text. */
export function sourceText(item: LoadedContext["items"][number]): string {
  if (item.kind === "passage") return `${item.title} ${item.version} ${item.section}\n${item.text}`;
  return item.kind === "record" ? Object.values(item.row).join("\n") : "";
}
