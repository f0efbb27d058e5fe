import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Explanation } from "../../../../src/contract/explanation.ts";
import { type NodeName, nodeNames } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useTitle } from "../../parts/page-heading.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { sourceKeys } from "../ask/source-keys.ts";
import { LookedAt } from "../review/looked-at.tsx";
import { Replay, Story } from "./asides.tsx";
import { CausalChain } from "./chain.tsx";
import css from "./decision.module.css";
import { DecisionHead, sentenceOf } from "./decision-head.tsx";
import { NodeDetail } from "./node-detail.tsx";
import { NodeStrip } from "./node-strip.tsx";
import { type NodesOf, nodesOf } from "./nodes.ts";
import { Effects, Said } from "./proposed.tsx";
import { Related, Rested } from "./rested.tsx";

/** One decision: its twelve nodes with what each added, and the chain from who asked to what was seen. */
export function DecisionPage(): ReactNode {
  const { client } = useApi();
  const { id = "" } = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: ["decisions", "explanation", id],
    queryFn: () => client.explanation(id),
  });
  useTitle(data === undefined ? "Decision" : sentenceOf(data.decision));
  if (data !== undefined) return <Told told={data} />;
  return (
    <div className="page">
      <h1 className="hidden">Decision</h1>
      {error === null ? (
        <LoadingRows what="the decision" rows={5} height={96} />
      ) : (
        <ErrorState error={error} what="The decision" again={() => void refetch()} />
      )}
    </div>
  );
}

function Told({ told }: { readonly told: Explanation }): ReactNode {
  const { client } = useApi();
  const { search, set } = useAddress();
  const { id } = told.decision;
  // The page is worth showing without it: who may not read the evidence sees the rest.
  const { data: evidence } = useQuery({ queryKey: ["decisions", "evidence", id], queryFn: () => client.evidence(id) });
  const of: NodesOf = { told, evidence };
  const nodes = nodesOf(of);
  const chosen = nodeNames.find((name) => name === search["node"]) ?? firstOf(nodes);
  const choose = (name: NodeName) => set({ node: name }, true);
  const show = search["show"];
  const toggle = (what: "replay" | "story") => set({ show: show === what ? undefined : what });
  const close = () => set({ show: undefined });
  const source = sourceOf(search["source"]);
  const onSource = (number: number | null) => set({ source: number === null ? undefined : String(number) }, true);
  const step = (by: number) => {
    const next = nodeNames[nodeNames.indexOf(chosen) + by];
    if (next !== undefined) choose(next);
  };
  const leave = source === null ? close : () => onSource(null);
  useKeys({
    ...Object.fromEntries(arrows.map(([key, by]) => [key, () => step(by)])),
    ...{ p: () => toggle("replay"), s: () => toggle("story") },
    ...sourceKeys(told.decision, { at: source, onOpen: onSource }),
    esc: show === undefined && source === null ? undefined : leave,
  });
  const node = nodes.find(({ name }) => name === chosen);
  return (
    <article className="page">
      <DecisionHead told={told} onReplay={() => toggle("replay")} onStory={() => toggle("story")} />
      {show === "story" ? <Story told={told} onClose={close} /> : null}
      {show === "replay" ? <Replay id={id} onClose={close} /> : null}
      <NodeStrip nodes={nodes} chosen={chosen} onChoose={choose} />
      <div className={css["columns"]}>
        <div className={css["column"]}>
          {node === undefined ? null : <NodeDetail node={node} of={of} />}
          <Said view={told.decision} source={source} onSource={onSource} />
          <Effects view={told.decision} />
          <LookedAt steps={evidence?.steps ?? []} />
          <Rested told={told} />
          <Related related={told.related} />
        </div>
        <CausalChain told={told} />
      </div>
    </article>
  );
}

const arrows = [
  ["ArrowLeft", -1],
  ["ArrowRight", 1],
] as const;

/** Opens at the first node where something was retried or differs, else where it was decided. */
function firstOf(nodes: ReturnType<typeof nodesOf>): NodeName {
  return nodes.find(({ isDoubt }) => isDoubt)?.name ?? "llm_decision";
}

function sourceOf(text: string | undefined): number | null {
  const number = Number(text);
  return text !== undefined && Number.isInteger(number) && number > 0 ? number : null;
}
