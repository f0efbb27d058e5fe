import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PoliciesView } from "../../../../src/contract/policy-view.ts";
import { useApi } from "../../api/api.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Filters } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { Files } from "./files.tsx";
import css from "./policies.module.css";
import { PolicyTable } from "./policy-table.tsx";
import { QuestionForm } from "./question-form.tsx";

const views = ["question", "policies", "files"] as const;

/** The policies in force: what each does, the files they stand in, and what they say to a question. Nothing here changes them. */
export function PoliciesPage(): ReactNode {
  return (
    <Opened to="policies" title="Policies">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { client } = useApi();
  const { search, set } = useAddress();
  const { data, error, refetch } = useQuery({ queryKey: ["policies"], queryFn: () => client.policies() });
  const view = views.find((one) => one === search["view"]) ?? "policies";
  useKeys({ esc: search["policy"] === undefined ? undefined : () => set({ policy: undefined }) });
  return (
    <div className="page">
      <PageHeading title="Policies" aside="who may what, as it is in force; read-only" />
      {data === undefined ? (
        error === null ? (
          <LoadingRows what="the policies" rows={10} height={34} />
        ) : (
          <ErrorState error={error} what="The policies" again={() => void refetch()} />
        )
      ) : (
        <>
          <div className="toolbar">
            <Filters
              label="What is shown"
              chosen={view}
              onChoose={(next) => set({ view: next === "policies" ? undefined : next })}
              options={[
                { value: "policies", words: "Policies", count: data.policies.length },
                { value: "files", words: "Files", count: data.files.length },
                { value: "question", words: "Ask a question" },
              ]}
            />
            <p className={css["version"]}>
              Version <code>{data.version}</code> <CopyButton text={data.version}>Copy</CopyButton>
            </p>
          </div>
          <View view={view} policies={data} />
        </>
      )}
    </div>
  );
}

function View({ view, policies }: { readonly view: (typeof views)[number]; readonly policies: PoliciesView }): ReactNode {
  if (view === "question") return <QuestionForm policies={policies} />;
  if (view === "files") return <Files policies={policies} />;
  if (policies.policies.length > 0) return <PolicyTable policies={policies} />;
  return (
    <EmptyState
      title="No policy is in force, so nothing is permitted."
      detail="Policies stand in the folder policies of the project."
      link={{ to: "/settings", words: "Settings" }}
    />
  );
}
