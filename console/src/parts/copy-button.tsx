import { type ReactNode, useState } from "react";
import { tell } from "../shell/told.tsx";
import { Button } from "./button.tsx";

/** Copies a text, and says that it did; where the browser keeps the clipboard closed, it says that. */
export function CopyButton({ text, children }: { readonly text: string; readonly children: string }): ReactNode {
  const [said, setSaid] = useState<string | null>(null);
  const say = (words: string) => {
    setSaid(words);
    tell(words);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      say("Not copied: select and copy it by hand");
    }
  };
  return (
    <Button isSmall onClick={() => void copy()} onBlur={() => setSaid(null)}>
      {said ?? children}
    </Button>
  );
}
