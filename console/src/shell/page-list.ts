import type { MayView } from "../../../src/contract/session.ts";

/** One page of the rail. */
export interface PageRow {
  readonly path: string;
  readonly name: string;
  /** The letter after `g` that goes there. */
  readonly letter: string;
  /** What of the session opens it; pages without are open to everybody. */
  readonly opens: keyof MayView | null;
}

/** The pages of the console, in groups as the rail shows them. */
const pageGroups: readonly (readonly PageRow[])[] = [
  [
    { path: "/", name: "Ask", letter: "a", opens: "ask" },
    { path: "/review", name: "Review", letter: "r", opens: "review" },
    { path: "/decisions", name: "Decisions", letter: "d", opens: "operations" },
    { path: "/cases", name: "Cases", letter: "c", opens: null },
    { path: "/operations", name: "Operations", letter: "o", opens: "operations" },
  ],
  [
    { path: "/ledger", name: "Ledger", letter: "l", opens: "ledger" },
    { path: "/search", name: "Search", letter: "s", opens: "operations" },
    { path: "/facts", name: "Facts", letter: "f", opens: "operations" },
  ],
  [
    { path: "/evals", name: "Evals", letter: "e", opens: "evals" },
    { path: "/autonomy", name: "Autonomy", letter: "u", opens: "autonomy" },
    { path: "/spend", name: "Spend", letter: "p", opens: "spend" },
    { path: "/models", name: "Models", letter: "m", opens: "models" },
    { path: "/policies", name: "Policies", letter: "y", opens: "policies" },
  ],
  [
    { path: "/stop", name: "Emergency stop", letter: "x", opens: "halts" },
    { path: "/settings", name: "Settings", letter: "t", opens: null },
  ],
];

/** The pages that are open to a caller, group by group. */
export function openPages(may: MayView): readonly (readonly PageRow[])[] {
  const open = pageGroups.map((group) => group.filter(({ opens }) => opens === null || may[opens]));
  return open.filter((group) => group.length > 0);
}
