import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Banner } from "../../parts/banner.tsx";
import { timeWords } from "../../words/times.ts";
import css from "./item.module.css";
import { isOpen, isWithAnother } from "./standing.ts";
import { useNowUntil } from "./use-now-until.ts";

/** What holds for the whole item: somebody else has it, it is stopped, a person has to say what became of it. */
export function ItemBanners({ view }: { readonly view: DecisionView }): ReactNode {
  return (
    <div className={css["banners"]}>
      <WithAnother view={view} />
      <Stopped view={view} />
      <LeftToPeople view={view} />
      {view.supersededBy === null ? null : (
        <Banner mark="pen" title="It was edited.">
          <Link to={`/review/${view.supersededBy}`}>What stands in its place</Link>
        </Banner>
      )}
    </div>
  );
}

function WithAnother({ view }: { readonly view: DecisionView }): ReactNode {
  const { session, nameOf } = useApi();
  const now = useNowUntil(view.expiresAt);
  if (view.taken === null || !isOpen(view, now) || !isWithAnother(view, session, now)) return null;
  return (
    <Banner mark="pen" title={`${nameOf(view.taken.by)} works on this until ${timeWords(view.taken.until, now, false)} UTC.`}>
      You can read all of it.
    </Banner>
  );
}

function Stopped({ view: { effects } }: { readonly view: DecisionView }): ReactNode {
  const stopped = effects.filter((effect) => effect.stopped !== null);
  const [first] = stopped;
  if (first === undefined) return null;
  const what = { effect: first.effect, capability: "Its capability", tenant: "Everything" }[first.stopped ?? "tenant"];
  return (
    <Banner tone="stop" mark="stop" title={`${what} is stopped.`}>
      You can sign; nothing is applied until the stop is lifted. Expiry runs on.
    </Banner>
  );
}

function LeftToPeople({ view: { effects } }: { readonly view: DecisionView }): ReactNode {
  const { session } = useApi();
  const left = effects.filter(({ resolvable, operationId }) => resolvable.length > 0 && operationId !== null);
  if (left.length === 0 || !session.may.operations) return null;
  return left.map(({ index, sentence, operationId }) => (
    <Banner key={index} title="A person has to say what became of it.">
      {sentence}. <a href={`/operations?item=${operationId ?? ""}`}>Say so at its operation</a>
    </Banner>
  ));
}
