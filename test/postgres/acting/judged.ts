import type { DecisionRecord } from "../../../src/contract/decision.ts";
import type { EntryDraft } from "../../../src/contract/entry.ts";
import { decisionDraft } from "../../../src/ledger/decision-entry.ts";
import { writeEntries } from "../../../src/ledger/entries.ts";
import type { Database } from "../../../src/store/database.ts";
import { recordOf } from "./decided.ts";
import { type House, people } from "./house.ts";
import type { sampleProject } from "./project.ts";

type Sample = ReturnType<typeof sampleProject>;

/**
 * Decisions of one confidence with what became of them, as the three roles write it: signed by Ada and seen complete, or rejected. In bulk,
 * since it is their number that counts; one that is really signed and carried out goes with them.
 */
export async function writeJudged(
  house: House,
  { confidencePpm, sample, agreed, rejected }: { confidencePpm: number; sample: Sample; agreed: number; rejected: number },
): Promise<void> {
  const tenant = "acme";
  const { project } = sample;
  const ticket = () => house.add(`judged-${house.ids.next()}`);
  const records = Array.from({ length: agreed + rejected - 1 }, () =>
    recordOf({ changes: [ticket()], confidencePpm, ids: house.ids, project }),
  );
  const write = (store: Database, drafts: readonly EntryDraft[]) =>
    store.inTenant(tenant, (tx) => writeEntries({ tx, drafts, keys: house.keys }));
  await write(
    house.deciding,
    records.map((record) => decisionDraft(record, "0".repeat(64))),
  );
  const said = (writer: "desk" | "acting", { request }: DecisionRecord) => ({
    ...{ id: house.ids.next(), tenant, ts: Date.now() + house.aheadMs, writer, decisionId: request.decisionId },
    ...{ cause: request.entryId, bodies: {} },
  });
  const signed = records.slice(0, agreed - 1);
  await write(house.deskStore, [
    ...signed.map(
      (one): EntryDraft => ({ ...said("desk", one), kind: "approved", facts: { approverKind: "person", effectIndex: 0 } }),
    ),
    ...records.slice(agreed - 1).map((one): EntryDraft => ({ ...said("desk", one), kind: "rejected", facts: { by: "ada" } })),
  ]);
  await write(
    house.acting,
    signed.map(
      (one): EntryDraft => ({ ...said("acting", one), kind: "observed", facts: { verdict: "complete", effectIndex: 0 } }),
    ),
  );
  const decisionId = await house.decide({ changes: [ticket()], confidencePpm });
  await house.desk({ project }).approve({ principal: people.ada, decisionId });
  await house.worker({ sample }).runOnce();
}
