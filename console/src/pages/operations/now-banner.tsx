import type { ReactNode } from "react";
import type { OperationView } from "../../../../src/contract/operation-view.ts";
import type { HaltScope } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { Banner } from "../../parts/banner.tsx";
import { Time } from "../../parts/time.tsx";
import { resolvedWords } from "../../words/states.ts";
import { endReason } from "./operation-words.ts";

/** What holds of it now, and what comes next: an emergency stop, what a person said, why it is left to people, the next look. */
export function NowBanner({ operation }: { readonly operation: OperationView }): ReactNode {
  return (
    <>
      {operation.stopped === null ? null : (
        <Banner mark="stop" tone="stop" title={`Emergency stop: ${stopped[operation.stopped]}.`}>
          Nothing of it is sent until the stop is lifted. Its time runs on.
        </Banner>
      )}
      <Standing operation={operation} />
    </>
  );
}

const stopped: Readonly<Record<HaltScope, string>> = {
  effect: "this kind of change is stopped",
  capability: "this kind of request is stopped",
  tenant: "everything is stopped",
};

function Standing({ operation }: { readonly operation: OperationView }): ReactNode {
  const { state, resolution, deadlineAt, nextLookAt } = operation;
  if (resolution !== null) return <Said resolution={resolution} />;
  if (state === "unknown") {
    return (
      <Banner mark="unknown" tone="unknown" title="It was sent, and what came of it is not known.">
        Nothing is sent again until a separate read has answered. <Next at={nextLookAt} /> Settled by <Time at={deadlineAt} />, or
        its key is frozen and its owner is called.
      </Banner>
    );
  }
  if (state === "escalated") return <LeftToPeople operation={operation} />;
  if (nextLookAt === null) return null;
  return (
    <p className="detail">
      <Next at={nextLookAt} /> Settled by <Time at={deadlineAt} />, or a person is called.
    </p>
  );
}

function Next({ at }: { readonly at: number | null }): ReactNode {
  if (at === null) return null;
  return (
    <>
      Next look <Time at={at} />.
    </>
  );
}

function Said({
  resolution: { by, at, outcome, isDone },
}: {
  readonly resolution: NonNullable<OperationView["resolution"]>;
}): ReactNode {
  const { nameOf } = useApi();
  return (
    <p className="detail">
      <strong>{nameOf(by)}</strong> said <Time at={at} />: {resolvedWords[outcome].told}.{" "}
      {isDone ? "It was carried out." : "It is on record and is carried out now."}
    </p>
  );
}

function LeftToPeople({ operation: { course } }: { readonly operation: OperationView }): ReactNode {
  const end = course?.ends.findLast(({ kind }) => kind === "escalated");
  return (
    <Banner mark="warning" tone="stop" title={endReason(end?.reason ?? null)}>
      {end === undefined || end.owner === null ? "" : `${end.owner} was called. `}
      Its key is frozen and nothing more is sent. Look where it should have happened, then say below what you found.
    </Banner>
  );
}
