/** What every process of the project loads: what may be decided, and what may change. Pure, and without a model. */
import { defineProject } from "countersign";
import { reconcileRow } from "./capabilities/reconcile-row.ts";
import { reportFeed } from "./capabilities/report-feed.ts";
import { fileNamed, lineNamed } from "./capabilities/row-named.ts";

export default defineProject({
  name: "reconciliation",
  capabilities: [reconcileRow, reportFeed],
  intake: [
    {
      name: "names-a-line",
      capability: "reconcile_row",
      matches: (text) => fileNamed({ text }) !== null && lineNamed({ text }) !== null,
    },
    {
      name: "names-a-feed",
      capability: "report_feed",
      matches: (text) => fileNamed({ text }) !== null && lineNamed({ text }) === null,
    },
  ],
});
