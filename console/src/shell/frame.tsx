import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useApi } from "../api/api.tsx";
import { Button } from "../parts/button.tsx";
import { MarkOf } from "../parts/mark.tsx";
import { Time } from "../parts/time.tsx";
import { haltWords, stoppedBy } from "../words/halts.ts";
import { useLive, useLostAt } from "./connection.tsx";
import { KeyHelp } from "./key-help.tsx";
import { useKeys } from "./keys.tsx";
import { LedgerBadge } from "./ledger-badge.tsx";
import { Rail } from "./rail.tsx";
import css from "./shell.module.css";
import { Told } from "./told.tsx";

/** What every page shows around its content: rail, top bar, and the notices that hold everywhere. */
export function Frame(): ReactNode {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useLive();
  useKeys({ "?": () => setIsHelpOpen(true) });
  return (
    <div className={css["frame"]}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Rail onHelp={() => setIsHelpOpen(true)} />
      <div className={css["body"]}>
        <section aria-label="Sign-in and notices">
          <TopBar />
          <Strips />
        </section>
        <main id="main" tabIndex={-1} className={css["main"]}>
          <Outlet />
        </main>
      </div>
      <KeyHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
      <Told />
    </div>
  );
}

function TopBar(): ReactNode {
  const { session, client } = useApi();
  const { tenant, environment, name, roles, may } = session;
  const [isStill, setIsStill] = useState(false);
  const leave = () =>
    client.endSession().then(
      () => window.location.assign("/sign-in"),
      () => setIsStill(true),
    );
  return (
    <div className={css["top"]}>
      <p>
        <span>{tenant}</span> <span className="chip">{environment}</span>
      </p>
      <div className={css["who"]}>
        {may.ledger ? <LedgerBadge /> : null}
        <span>
          <strong>{name}</strong> <span className="meta">{roles.join(", ")}</span>
        </span>
        <Button isSmall onClick={() => void leave()}>
          {isStill ? "Still signed in; sign out again" : "Sign out"}
        </Button>
      </div>
    </div>
  );
}

function Strips(): ReactNode {
  const { session } = useApi();
  const lostAt = useLostAt();
  return (
    <>
      {session.isDemo ? (
        <p className={css["strip"]}>
          <MarkOf name="dash" tone="quiet" />
          <span>
            <strong>Demo.</strong> Made-up people and data; one machine runs all three processes (development strength). What a
            script said and no model is marked so.
          </span>
        </p>
      ) : null}
      {session.may.halts ? <Stopped /> : null}
      {lostAt === null ? null : (
        <p className={`${css["strip"]} ${css["strip-wait"]}`} role="status">
          <MarkOf name="warning" tone="wait" />
          <span>
            <strong>
              Connection lost <Time at={lostAt} />.
            </strong>{" "}
            You see the state of then. Signing opens again by itself once the desk answers.
          </span>
        </p>
      )}
    </>
  );
}

function Stopped(): ReactNode {
  const { client, nameOf } = useApi();
  const { data = [] } = useQuery({ queryKey: ["halts"], queryFn: () => client.halts() });
  return data.map((halt) => (
    <p key={`${halt.scope} ${halt.name}`} className={`${css["strip"]} ${css["strip-stop"]}`} role="status">
      <MarkOf name="stop" tone="stop" />
      <span>
        <strong>{haltWords(halt)} is stopped</strong> since <Time at={halt.at} /> by {stoppedBy(halt.by, nameOf)}: “{halt.reason}
        ”. Nothing of it is applied until the stop is lifted; what waits still expires.
      </span>
    </p>
  ));
}
