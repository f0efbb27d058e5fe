import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { EmptyState, ErrorState } from "./parts/notice.tsx";
import { Frame } from "./shell/frame.tsx";
import type { Search } from "./shell/search.ts";

const root = createRootRoute({
  component: Frame,
  notFoundComponent: () => (
    <EmptyState
      title="Not open to you."
      detail="Nothing of that address is open to you. Nothing was changed."
      link={{ to: "/", words: "Back to Ask" }}
    />
  ),
});

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: textOf });

const ask = lazyRouteComponent(() => import("./pages/ask/ask-page.tsx"), "AskPage");

const routes = root.addChildren([
  page("/", ask),
  page("/ask", ask),
  page(
    "/review",
    lazyRouteComponent(() => import("./pages/review/review-page.tsx"), "ReviewPage"),
  ),
  page(
    "/review/$id",
    lazyRouteComponent(() => import("./pages/review/review-page.tsx"), "ReviewPage"),
  ),
  page(
    "/review-health",
    lazyRouteComponent(() => import("./pages/review/health-page.tsx"), "HealthPage"),
  ),
  page(
    "/decisions",
    lazyRouteComponent(() => import("./pages/decision/decisions-page.tsx"), "DecisionsPage"),
  ),
  page(
    "/decisions/$id",
    lazyRouteComponent(() => import("./pages/decision/decision-page.tsx"), "DecisionPage"),
  ),
  page(
    "/cases",
    lazyRouteComponent(() => import("./pages/cases/cases-page.tsx"), "CasesPage"),
  ),
  page(
    "/cases/$id",
    lazyRouteComponent(() => import("./pages/cases/cases-page.tsx"), "CasesPage"),
  ),
  page(
    "/operations",
    lazyRouteComponent(() => import("./pages/operations/operations-page.tsx"), "OperationsPage"),
  ),
  page(
    "/ledger",
    lazyRouteComponent(() => import("./pages/ledger/ledger-page.tsx"), "LedgerPage"),
  ),
  page(
    "/search",
    lazyRouteComponent(() => import("./pages/search/search-page.tsx"), "SearchPage"),
  ),
  page(
    "/facts",
    lazyRouteComponent(() => import("./pages/facts/facts-page.tsx"), "FactsPage"),
  ),
  page(
    "/evals",
    lazyRouteComponent(() => import("./pages/evals/evals-page.tsx"), "EvalsPage"),
  ),
  page(
    "/autonomy",
    lazyRouteComponent(() => import("./pages/autonomy/autonomy-page.tsx"), "AutonomyPage"),
  ),
  page(
    "/spend",
    lazyRouteComponent(() => import("./pages/spend/spend-page.tsx"), "SpendPage"),
  ),
  page(
    "/models",
    lazyRouteComponent(() => import("./pages/models/models-page.tsx"), "ModelsPage"),
  ),
  page(
    "/policies",
    lazyRouteComponent(() => import("./pages/policies/policies-page.tsx"), "PoliciesPage"),
  ),
  page(
    "/stop",
    lazyRouteComponent(() => import("./pages/stop/stop-page.tsx"), "StopPage"),
  ),
  page(
    "/settings",
    lazyRouteComponent(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
  ),
]);

/** Makes the router: one row of `routes` for each page, loaded when somebody goes there. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: routes,
    defaultPreload: "intent",
    scrollRestoration: true,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => searchText(search),
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} what="This page" again={reset} />,
  });
}

function searchText(search: object): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function textOf(search: Record<string, unknown>): Search {
  return Object.fromEntries(Object.entries(search).filter((row): row is [string, string] => typeof row[1] === "string"));
}
