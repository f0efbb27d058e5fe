import type { Context } from "../../contract/context.ts";
import { notedKinds, type Remembered, type RuledMemoryNeed } from "../../contract/memory.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { Database, Tx } from "../../store/database.ts";
import { checkMemoryNeed, isMemoryListed, readMemory } from "./read.ts";

/** Reads what decisions noted of themselves; the ledger keeps it, and only it can open it. */
export type ReadNotes = (asked: { tx: Tx; need: RuledMemoryNeed; envelope: Envelope }) => Promise<readonly Remembered[]>;

/** Joins memory in a database, and the notes in the ledger, to the port `Context`. */
export function openMemory({ database, readNotes }: { database: Database; readNotes: ReadNotes }): Pick<Context, "recall"> {
  return {
    recall: (need, envelope) =>
      database.inTenant(envelope.principal.tenant, async (tx) => {
        checkMemoryNeed(need, envelope);
        if (!isMemoryListed(need, envelope)) return [];
        return notedKinds.some((kind) => kind === need.of)
          ? readNotes({ tx, need, envelope })
          : readMemory({ tx, need, envelope });
      }),
  };
}
