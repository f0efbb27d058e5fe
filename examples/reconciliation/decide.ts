/** What only the deciding process loads: how feeds and books are read. There is no provider, since no model is asked. */
import { recordSource } from "countersign";
import { defineDeciding } from "countersign/decide";
import { feeds, reader } from "./connectors.ts";
import { books, feedRows } from "./records.ts";

export default defineDeciding({
  providers: [],
  records: [recordSource(feeds, feedRows), recordSource(reader, books)],
  hiddenValues: null,
});
