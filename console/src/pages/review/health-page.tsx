import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReviewHealth } from "../../../../src/contract/review-health.ts";
import { useApi } from "../../api/api.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { PageHeading, useTitle } from "../../parts/page-heading.tsx";
import { counted } from "../../words/plain.ts";
import css from "./health.module.css";
import { CapabilityTable, LoadToday } from "./health-load.tsx";
import { OwnTable } from "./health-own.tsx";
import { TooAlike } from "./too-alike.tsx";

const days = 28;

/** How reviewing goes: to each person their own figures; to a lead capabilities and load, and no person's speed. */
export function HealthPage(): ReactNode {
  const { client, session } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["health", days],
    queryFn: () => client.reviewHealth({ days }),
    enabled: session.may.review,
  });
  useTitle("How reviewing goes");
  if (!session.may.review)
    return <EmptyState title="Not open to you." detail="It is for those who sign." link={{ to: "/", words: "Back to Ask" }} />;
  return (
    <div className="page">
      <PageHeading title="How reviewing goes" aside="last 4 weeks">
        <Link to="/review">Back to the queue</Link>
      </PageHeading>
      {data === undefined ? null : <Figures health={data} />}
      {data === undefined && error !== null ? (
        <ErrorState error={error} what="How reviewing goes" again={() => void refetch()} />
      ) : null}
      {data === undefined && error === null ? <LoadingRows what="how reviewing goes" rows={5} height={38} /> : null}
    </div>
  );
}

function Figures({ health: { own, capabilities, loadToday } }: { readonly health: ReviewHealth }): ReactNode {
  const answered = own.reduce((sum, one) => sum + one.answered, 0);
  return (
    <div className={css["columns"]}>
      <section className={css["column"]} aria-labelledby="own-title">
        <div className={css["heading"]}>
          <h2 id="own-title">What only you see</h2>
          <span className="meta">{counted(answered, "answer")}</span>
        </div>
        {own.length === 0 ? (
          <EmptyState
            title="You have answered nothing in these weeks."
            detail="Your own figures show up here; nobody else sees them."
            link={{ to: "/review", words: "The queue" }}
          />
        ) : (
          <OwnTable own={own} />
        )}
        {own.map((one) => (
          <TooAlike key={one.capability} own={one} />
        ))}
      </section>
      {capabilities === null && loadToday === null ? null : (
        <section className={css["column"]} aria-labelledby="lead-title">
          <div className={css["heading"]}>
            <h2 id="lead-title">What a lead sees</h2>
            <span className="meta">capabilities, not people</span>
          </div>
          {capabilities === null ? null : <CapabilityTable capabilities={capabilities} />}
          {loadToday === null ? null : <LoadToday load={loadToday} />}
        </section>
      )}
    </div>
  );
}
