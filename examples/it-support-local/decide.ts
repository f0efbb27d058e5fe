/** What only the deciding process loads: the help desk's records as in `it-support`, and the server of the model. */
import { hiddenValuesSource, recordSource } from "countersign";
import { compatible, defineDeciding, postgresRecords } from "countersign/decide";
import { reader } from "../it-support/connectors.ts";
import { measurements } from "../it-support/measurements.ts";
import { findHidden, records } from "../it-support/records.ts";

export default defineDeciding({
  providers: [
    compatible({
      name: "local",
      server: "ollama",
      baseUrl: "http://127.0.0.1:11434/v1",
      secret: null,
      constrain: "schema",
    }),
  ],
  records: [
    recordSource(reader, records),
    postgresRecords({ name: "helpdesk-measurements", secret: reader.secret, queries: measurements }),
  ],
  hiddenValues: hiddenValuesSource(reader, findHidden),
});
