import { isCountersignError } from "../../../src/contract/errors.ts";
import { type Addressee, type Notice, writeNotices } from "../../../src/ledger/notices.ts";
import type { House } from "../acting/house.ts";

/** Writes one notice as the acting half does; returns its decision's id. */
export async function notice(
  house: House,
  {
    kind = "outcome",
    to = { kind: "principal", name: "erin" },
    tenant = "acme",
  }: { kind?: Notice["kind"]; to?: Addressee; tenant?: string } = {},
): Promise<string> {
  const [decisionId, entryId] = [house.ids.next(), house.ids.next()];
  await house.acting.inTenant(tenant, (tx) => writeNotices({ tx, notices: [{ tenant, kind, decisionId, entryId, to }] }));
  return decisionId;
}

/** How the notices of a decision stand. */
export async function standing(house: House, decisionId: string): Promise<{ id: string; state: string; attempts: number }[]> {
  const { rows } = await house.admin.query("select id, state, attempts from countersign.notice where decision_id = $1", [
    decisionId,
  ]);
  return rows;
}

/** Collects what is reported, and throws what is no failed delivery. */
export function faults(): { readonly said: string[]; readonly onError: (thrown: unknown) => void } {
  const said: string[] = [];
  return {
    said,
    onError: (thrown) => {
      if (!isCountersignError(thrown, "notice_undelivered")) throw thrown;
      said.push(`${thrown.message} ${JSON.stringify(thrown.facts)} ${String(thrown.cause)}`);
    },
  };
}
