/** What the decider alone loads: the target under a reading credential. */
import { defineConnector, recordSource } from "../../../src/define/connector.ts";
import { defineDeciding } from "../../../src/define/deciding.ts";
import { openTarget, thingRecords } from "./connectors.ts";

const reader = defineConnector({
  name: "target-reader",
  side: "reads",
  secret: "TARGET_READ",
  open: async (secret: string) => openTarget(secret),
  close: async (target) => target.close(),
});

/** @public The decider loads it by its file's name. */
// biome-ignore lint/style/noDefaultExport: processes load a project by the default export of its entry files
export default defineDeciding({ providers: [], records: [recordSource(reader, [thingRecords])], hiddenValues: null });
