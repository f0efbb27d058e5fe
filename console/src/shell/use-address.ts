import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Search } from "./search.ts";

/** What stands in the address of the page: the view that somebody sees, so that it can be kept and sent on. */
export interface Address {
  readonly search: Search;
  /** The id in the path, where the page has one. */
  readonly id: string | undefined;
  /** Changes parts of the address; `undefined` takes a part out. The browser's way back leads to the view before, unless `isSmall`. */
  readonly set: (changed: Search, isSmall?: boolean) => void;
}

/** Reads and changes the address of the page. */
export function useAddress(): Address {
  // Every page of the table has text by name in its address, and at most the one id.
  const search = useSearch({ strict: false }) as Search;
  const { id } = useParams({ strict: false }) as { id?: string };
  const navigate = useNavigate();
  return {
    search,
    id,
    set: (changed, isSmall = false) => {
      void navigate({ to: ".", search: ((before: Search) => ({ ...before, ...changed })) as never, replace: isSmall });
    },
  };
}
