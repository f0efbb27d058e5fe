import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApi } from "../api/api.tsx";
import { KeyCap } from "../parts/button.tsx";
import { plainCount } from "../words/plain.ts";
import { useKeysAfter } from "./keys.tsx";
import { openPages } from "./page-list.ts";
import css from "./shell.module.css";

/** The pages that are open to whoever has signed in, with the count of what waits for them. */
export function Rail({ onHelp }: { readonly onHelp: () => void }): ReactNode {
  const { session } = useApi();
  useGoTo();
  return (
    <header className={css["rail"]}>
      <p className={css["brand"]}>
        <Link to="/">Countersign</Link>
      </p>
      <nav aria-label="Pages" className={css["pages"]}>
        {openPages(session.may).map((group) => (
          <ul key={group[0]?.path}>
            {group.map(({ path, name }) => (
              <li key={path}>
                <Link
                  to={path}
                  activeOptions={{ exact: path === "/", includeSearch: false }}
                  activeProps={{ "aria-current": "page" }}
                >
                  {name}
                  {path === "/review" ? <Waiting /> : null}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <button type="button" className={css["help"]} onClick={onHelp} aria-keyshortcuts="?">
        Keys <KeyCap>?</KeyCap>
      </button>
    </header>
  );
}

function Waiting(): ReactNode {
  const { client } = useApi();
  const { data } = useQuery({ queryKey: ["reviews", "count"], queryFn: () => client.countReviews() });
  if (data === undefined) return null;
  return (
    <span className={css["count"]}>
      {data.isOver ? "over 10,000" : plainCount(data.count)}
      <span className="hidden"> waiting</span>
    </span>
  );
}

/** `g` and then a letter goes to a page. */
function useGoTo(): void {
  const { session } = useApi();
  const navigate = useNavigate();
  const paths = openPages(session.may)
    .flat()
    .map(({ letter, path }) => [letter, () => void navigate({ to: path })] as const);
  useKeysAfter("g", Object.fromEntries(paths));
}
