import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "../../api/api.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { HaltCard } from "./halt-card.tsx";
import css from "./stop.module.css";
import { StopForm } from "./stop-form.tsx";

/** What is stopped, by whom and why; and for who may, stopping and lifting a stop. */
export function StopPage(): ReactNode {
  return (
    <Opened to="halts" title="Emergency stop">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const closed = useWhyClosed();
  return (
    <div className="column">
      <PageHeading title="Emergency stop" />
      <p className="detail">
        From the next send on nothing of what is stopped is sent. What was signed waits and still expires, and what was sent
        before is still looked at. Who stopped it, when and why stays on record for ever.
      </p>
      <section className={css["section"]} aria-labelledby="stopped-title">
        <h2 id="stopped-title" tabIndex={-1}>
          Stopped now
        </h2>
        <Stopped closed={closed} />
      </section>
      <section className={css["section"]} aria-labelledby="stop-title">
        <h2 id="stop-title">Stop something</h2>
        <StopForm closed={closed} />
      </section>
    </div>
  );
}

/** Why this person can neither stop nor lift a stop now; `null` where they can. */
function useWhyClosed(): string | null {
  const { session } = useApi();
  const lostAt = useLostAt();
  if (!session.may.stop)
    return "Only somebody with the role owner stops and lifts a stop, in person. You see what is stopped, by whom and why.";
  if (lostAt !== null)
    return "The desk cannot be reached, so nothing can be stopped from here. The command line may still reach it.";
  return null;
}

function Stopped({ closed }: { readonly closed: string | null }): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({ queryKey: ["halts"], queryFn: () => client.halts() });
  if (data === undefined) {
    return error === null ? (
      <LoadingRows what="what is stopped" rows={1} />
    ) : (
      <ErrorState error={error} what="What is stopped" again={() => void refetch()} />
    );
  }
  if (data.length === 0) return <p className="card padded">Nothing is stopped. What is signed is sent.</p>;
  return (
    <ul className={css["halts"]}>
      {data.map((halt) => (
        <HaltCard key={`${halt.scope} ${halt.name}`} halt={halt} closed={closed} />
      ))}
    </ul>
  );
}
