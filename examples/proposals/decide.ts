/** What only the deciding process loads: how records are read, and the provider of the model, which is a script. */
import { defineDeciding, postgresRecords } from "countersign/decide";
import { scriptedProvider } from "countersign/testing";
import { records } from "./records.ts";
import { script } from "./script.ts";

export default defineDeciding({
  providers: [scriptedProvider({ name: "scripted", lines: script })],
  records: [postgresRecords({ name: "sales-reader", secret: "SALES_READ_URL", queries: records })],
  hiddenValues: null,
});
