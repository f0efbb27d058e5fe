import { type ReactNode, useEffect, useRef } from "react";
import type { PoliciesView } from "../../../../src/contract/policy-view.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Filters } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/notice.tsx";
import { useAddress } from "../../shell/use-address.ts";
import css from "./policies.module.css";

/** One file of policies with its lines and their numbers; the lines of the policy that the address names are marked. */
export function Files({ policies: { files, policies } }: { readonly policies: PoliciesView }): ReactNode {
  const { search, set } = useAddress();
  const file = files.find(({ name }) => name === search["file"]) ?? files[0];
  if (file === undefined) return <EmptyState title="No file was told." link={{ to: "/policies", words: "All policies" }} />;
  const policy = policies.find(({ id, file: of }) => id === search["policy"] && of === file.name);
  return (
    <>
      <div className={css["names"]}>
        <Filters
          label="Which file"
          chosen={file.name}
          onChoose={(name) => set({ file: name, policy: undefined })}
          options={files.map(({ name }) => ({ value: name, words: name }))}
        />
      </div>
      <section className={`card ${css["file"]}`} aria-label={file.name}>
        <header>
          <p className="meta">
            SHA-256 <code>{file.digest}</code>
          </p>
          <CopyButton text={file.text}>Copy the file</CopyButton>
        </header>
        <Lines text={file.text} from={policy?.line} count={policy?.text.split("\n").length ?? 0} />
      </section>
    </>
  );
}

function Lines({
  text,
  from,
  count,
}: {
  readonly text: string;
  readonly from: number | undefined;
  readonly count: number;
}): ReactNode {
  const marked = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (from !== undefined) marked.current?.scrollIntoView({ block: "center" });
  }, [from]);
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <ol className={css["lines"]}>
      {lines.map((line, place) => {
        const number = place + 1;
        const isMarked = from !== undefined && number >= from && number < from + count;
        return (
          <li key={number} ref={number === from ? marked : undefined} className={isMarked ? css["marked"] : undefined}>
            <code>{line === "" ? " " : line}</code>
          </li>
        );
      })}
    </ol>
  );
}
