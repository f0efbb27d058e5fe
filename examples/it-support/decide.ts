/** What only the deciding process loads: how records are read, and the provider of the model, which is a script. */
import { hiddenValuesSource, recordSource } from "countersign";
import { defineDeciding, postgresRecords } from "countersign/decide";
import { scriptedProvider } from "countersign/testing";
import { reader } from "./connectors.ts";
import { measurements } from "./measurements.ts";
import { findHidden, records } from "./records.ts";
import { script } from "./script.ts";

export default defineDeciding({
  // Behind the privacy boundary, so that the script is shown what a model would be.
  providers: [scriptedProvider({ name: "scripted", lines: script, boundary: "on" })],
  records: [
    recordSource(reader, records),
    postgresRecords({ name: "helpdesk-measurements", secret: reader.secret, queries: measurements }),
  ],
  hiddenValues: hiddenValuesSource(reader, findHidden),
});
