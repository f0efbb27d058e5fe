import type { ReactNode } from "react";
import { Button } from "../../parts/button.tsx";

/** Hands a text to the browser as a file. */
export function DownloadButton({
  name,
  text,
  children,
}: {
  readonly name: string;
  readonly text: string;
  readonly children: string;
}): ReactNode {
  const save = () => {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    // Freed once the browser has begun to read it.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return (
    <Button isSmall onClick={save}>
      {children}
    </Button>
  );
}
