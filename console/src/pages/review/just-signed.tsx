import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { stateLine, titleOf } from "../../words/states.ts";
import { viewOf } from "./questions.ts";
import css from "./review.module.css";
import { isWithdrawable } from "./standing.ts";

/** What this person signed last, where it stands, and the way to take the signature back until applying begins. */
export function JustSigned({ id, onWithdraw }: { readonly id: string; readonly onWithdraw: () => void }): ReactNode {
  const { client, session } = useApi();
  const { data } = useQuery(viewOf(client, id));
  if (data === undefined) return null;
  const line = stateLine(data);
  return (
    <div className={css["signed"]}>
      <StateLine line={{ ...line, words: titleOf(data), detail: `${line.words.replace(/[.]$/, "")}. ${line.detail}` }} />
      {isWithdrawable(data, session) ? (
        <Button isSmall keyName="w" onClick={onWithdraw}>
          Withdraw
        </Button>
      ) : null}
    </div>
  );
}
