/** What the worker alone loads: the hands of every effect, which send and look through two credentials. */
import { defineHands } from "../../../src/act/hands.ts";
import { implementEffect, through } from "../../../src/act/implement.ts";
import { defineConnector, recordSource } from "../../../src/define/connector.ts";
import { openTarget, type TargetClient, thingRecords } from "./connectors.ts";
import { effects } from "./effects.ts";

const way = { open: async (secret: string) => openTarget(secret), close: async (target: TargetClient) => target.close() };
const writer = defineConnector({ name: "target-writer", side: "writes", secret: "TARGET_WRITE", ...way });
const observer = defineConnector({ name: "target-observer", side: "observes", secret: "TARGET_OBSERVE", ...way });

// biome-ignore lint/style/noDefaultExport: processes load a project by the default export of its entry files
export default defineHands({
  records: [recordSource(observer, [thingRecords])],
  hands: [...effects].map(([kind, effect]) =>
    implementEffect(effect, {
      apply: through(writer, async (target, { thing, value }, { idempotencyKey: key, signal, fence, expectedVersion }) => {
        await target.put({ kind, thing, value, key, fence, expectedVersion }, signal);
        return { targetId: null };
      }),
      observe: through(observer, (target, { thing }) => target.read({ kind, thing })),
      raiseFence: through(writer, (target, { thing }, { fence, signal }) => target.raise({ kind, thing, fence }, signal)),
    }),
  ),
});
