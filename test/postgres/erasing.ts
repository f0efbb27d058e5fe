import { randomBytes } from "node:crypto";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import { type Erasures, openErasures } from "../../src/ledger/erasure/erasures.ts";
import { requestErasure } from "../../src/ledger/erasure/manage-erasure.ts";
import type { DeclaredRetention } from "../../src/ledger/erasure/rules.ts";
import { readDecision } from "../../src/ledger/read.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import type { DecisionStory } from "../../src/ledger/story.ts";
import { type LedgerReport, verifyLedger } from "../../src/ledger/verify.ts";
import type { StoreTime } from "../../src/store/time.ts";
import { recordOf } from "./acting/decided.ts";
import type { House } from "./acting/house.ts";

export const dayMs = 86_400_000;
export const words = "the words of somebody";

interface Asked {
  readonly daysAgo?: number;
  readonly onBehalfOf?: string;
  /** Of one that had begun. */
  readonly decisionId?: string;
}

/** What tests of erasing do in a house. Each begins a thousand days later, when what others left has ended. */
export class Erasing {
  start = 0;
  readonly house: House;

  constructor(house: House) {
    this.house = house;
  }

  async begin(): Promise<void> {
    this.start += 1_000 * dayMs;
    this.house.aheadMs = this.start;
    await this.house.admin.query("truncate countersign.retention");
    await this.house.admin.query("delete from countersign.erasure");
    await this.erasures().endOld();
    await this.erasures().carryOut();
  }

  /** Decisions of so many days ago that keep what they were asked. */
  async askedOften(count: number, { daysAgo = 0, onBehalfOf = "somebody", decisionId }: Asked = {}): Promise<readonly string[]> {
    const { house } = this;
    const records = Array.from({ length: count }, () => {
      const made = recordOf({ changes: [], route: "auto", ids: house.ids, project: house.sample.project, onBehalfOf });
      const bodies = { inputs: { text: words }, attributes: { floor: "3" }, trace: [], checks: [] };
      const request = decisionId === undefined ? made.request : { ...made.request, decisionId };
      return { ...made, request, at: made.at + this.start - daysAgo * dayMs, bodies };
    });
    const drafts = records.map((record) => decisionDraft(record, "0".repeat(64)));
    await house.deciding.inTenant("acme", (tx) => writeEntries({ tx, drafts, keys: house.keys }));
    await house.settled();
    return records.map(({ request: { decisionId } }) => decisionId);
  }

  async asked(asking: Asked = {}): Promise<string> {
    return (await this.askedOften(1, asking))[0] ?? "";
  }

  erasures(declared: DeclaredRetention = new Map(), storeTime: StoreTime = this.house.storeTime): Erasures {
    return openErasures({
      ...{ database: this.house.acting, keys: this.house.keys, ids: this.house.ids, storeTime, declared },
      onError: (thrown) => {
        throw thrown;
      },
    });
  }

  story(decisionId: string): Promise<DecisionStory | null> {
    const { acting, keys } = this.house;
    return acting.inSnapshot("acme", (tx) => readDecision({ tx, tenant: "acme", decisionId, keys }));
  }

  async isErased(decisionId: string): Promise<boolean | undefined> {
    return (await this.story(decisionId))?.outcome.isErased;
  }

  async verified(): Promise<LedgerReport> {
    const { house } = this;
    await house.settled();
    await sealTenant({ database: house.acting, tenant: "acme", headKeeper: house.heads });
    return verifyLedger({ database: house.acting, tenant: "acme", headKeeper: house.heads, keys: house.keys });
  }

  request(of: { decisionId: string } | { person: string }): Promise<{ readonly tenant: string }> {
    return requestErasure(this.house.store.adminUrl, { tenant: "acme", of, reason: "asked in letter 12" });
  }

  /** Something that is remembered of each of them, from one decision. */
  async remember(owners: readonly string[], decisionId: string): Promise<void> {
    await this.house.admin.query(
      `insert into countersign.memory (tenant, kind, scope, owner, body, scopes, capability, decision_id, expires_at)
       select 'acme', 'preference', 'user', owner, 'likes tea', '{}', 'c', $2, 9999999999999 from unnest($1::text[]) as owner`,
      [owners, decisionId],
    );
  }

  async remembered(): Promise<readonly string[]> {
    const { rows } = await this.house.admin.query<{ owner: string }>(
      "select owner from countersign.memory where tenant = 'acme' order by owner",
    );
    return rows.map(({ owner }) => owner);
  }

  /** A case that somebody started and that another told something; returns its id. */
  async caseOf(startedBy: string, { toldBy, hasEnded }: { toldBy: string; hasEnded: boolean }): Promise<string> {
    const id = this.house.ids.next();
    await this.house.admin.query(
      `insert into countersign.case_run (tenant, id, case_name, version, key, started_by, start_hash, body, created_at, owner, step)
       values ('acme', $1::uuid, 'c', '1', $1::text, $2, $3, 'their data', now(), 'o', 's')`,
      [id, startedBy, randomBytes(32)],
    );
    await this.house.admin.query(
      `insert into countersign.case_event (tenant, run_id, id, name, by_principal, body, body_hash, at)
       values ('acme', $1, gen_random_uuid(), 'e', $2, $3, $4, now())`,
      [id, toldBy, words, randomBytes(32)],
    );
    if (hasEnded) await this.endCase(id);
    return id;
  }

  async endCase(id: string): Promise<void> {
    await this.house.admin.query(
      "update countersign.case_run set state = 'ended', outcome = 'done', due_at = null where id = $1",
      [id],
    );
  }

  /** What is left of a case: its data, then what it was told. */
  async caseWords(id: string): Promise<readonly string[]> {
    const { rows } = await this.house.admin.query<{ data: string; told: string }>(
      `select convert_from(run.body, 'UTF8') as data, convert_from(told.body, 'UTF8') as told
       from countersign.case_run run join countersign.case_event told on told.run_id = run.id where run.id = $1`,
      [id],
    );
    return [rows[0]?.data ?? "none", rows[0]?.told ?? "none"];
  }

  /** Moves the store's clock past when what was left is tried again. */
  async later(): Promise<void> {
    this.house.aheadMs += 2 * 3_600_000;
    await this.house.settled();
  }
}
