import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DecisionView, EffectView, EntryView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Banner } from "../../parts/banner.tsx";
import { Time } from "../../parts/time.tsx";
import { asObject, isSame } from "../../words/changes.ts";
import { plainName, plainValue } from "../../words/plain.ts";
import css from "./item.module.css";
import { staleEffects } from "./standing.ts";

/** What an approval was refused for before anything was sent: the state that was seen, what was found instead, what had been approved. */
export function Stale({ view }: { readonly view: DecisionView }): ReactNode {
  const { client, nameOf } = useApi();
  const isRefused = view.effects.some(({ state }) => state === "refused");
  const { data: story = [] } = useQuery({
    queryKey: ["decisions", "story", view.id],
    queryFn: () => client.story(view.id),
    enabled: isRefused,
  });
  if (!isRefused) return null;
  const stale = staleEffects(view);
  if (stale.length === 0) return <Reasons view={view} story={story} />;
  return (
    <>
      <Banner title="What it changes was changed after you saw it.">
        The approval was for the state of <Time at={view.at} />, so it does not fit any more and was refused. Nothing was sent.{" "}
        {nameOf(view.requestedBy)} can ask for it again: it is then decided on the state of that time.
      </Banner>
      <h2>What changed meanwhile</h2>
      {stale.map((effect) => (
        <StaleTable key={effect.index} effect={effect} decidedAt={view.at} entry={refusalOf(story, effect.index)} />
      ))}
    </>
  );
}

function Reasons({ view, story }: { readonly view: DecisionView; readonly story: readonly EntryView[] }): ReactNode {
  const reasons = view.effects.flatMap(({ index, state, sentence }) => {
    const reason = asObject(asObject(refusalOf(story, index)?.body ?? null)["bodies"] ?? null)["reason"];
    return state === "refused" && typeof reason === "string" ? [{ index, sentence, reason }] : [];
  });
  if (reasons.length === 0) return null;
  return (
    <Banner title="The approval was refused, and nothing was sent.">
      {reasons.map(({ index, sentence, reason }) => (
        <span key={index}>
          {sentence}: {reason}.{" "}
        </span>
      ))}
    </Banner>
  );
}

function refusalOf(story: readonly EntryView[], effect: number): EntryView | undefined {
  return story.findLast(({ kind, body }) => kind === "refused" && asObject(body)["effectIndex"] === effect);
}

function StaleTable({
  effect,
  decidedAt,
  entry,
}: {
  readonly effect: EffectView;
  readonly decidedAt: number;
  readonly entry: EntryView | undefined;
}): ReactNode {
  const told = asObject(asObject(entry?.body ?? null)["bodies"] ?? null)["observed"];
  const now = effect.observed ?? (told === undefined ? null : asObject(told));
  const seen = effect.before ?? {};
  const approved = effect.expected ?? {};
  const isMoved = (field: string) => now !== null && !isSame(seen[field], now[field]);
  const fields = [...new Set([...Object.keys(approved), ...Object.keys(now ?? {})])].filter(
    (field) => isMoved(field) || !isSame(seen[field], approved[field]),
  );
  return (
    <div className="card">
      <table className={`rows ${css["stale"]}`}>
        <caption className="hidden">{effect.sentence}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">
              You saw, <Time at={decidedAt} />
            </th>
            <th scope="col">Then {entry === undefined ? null : <Time at={entry.ts} />}</th>
            <th scope="col">You approved</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{plainName(field)}</th>
              <td>{plainValue(seen[field] ?? null)}</td>
              <td className={isMoved(field) ? css["moved"] : undefined}>
                {now === null ? <span className="meta">not told</span> : plainValue(now[field] ?? null)}
              </td>
              <td>
                <s>{plainValue(approved[field] ?? null)}</s>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
