import type { DecisionRecord, DecisionRequest } from "../contract/decision.ts";
import type { Closed, Journal, Opened } from "../contract/ports.ts";

/** A journal that says that it is a fake: it keeps in memory what it was told, and nothing survives it. */
export interface FakeJournal extends Journal {
  readonly isFake: true;
  readonly opened: readonly DecisionRequest[];
  readonly closed: readonly DecisionRecord[];
}

/** Makes a fake journal that answers as it is told; by default it opens and closes every decision. */
export function fakeJournal({ open = { kind: "opened" }, close }: { open?: Opened; close?: Closed } = {}): FakeJournal {
  const opened: DecisionRequest[] = [];
  const closed: DecisionRecord[] = [];
  return {
    isFake: true,
    opened,
    closed,
    open: async (request) => {
      opened.push(request);
      return open;
    },
    close: async (record) => {
      closed.push(record);
      return close ?? { kind: "closed", entryId: record.request.entryId };
    },
  };
}
