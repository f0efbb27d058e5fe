/** What the database holds of the decisions of killed deciders, and what is wrong with it. */
import pg from "pg";
import { type Fate, killPoints, type PlannedDecision } from "./decider-plan.ts";
import type { Report, Said } from "./decider-process.ts";

/** A decision that has begun, with its ends: law 4 wants exactly one. */
export interface Begun {
  readonly decisionId: string;
  readonly isEnded: boolean;
  readonly ends: readonly End[];
  readonly notes: number;
  readonly spends: number;
}
interface End {
  readonly id: string;
  readonly kind: string;
  readonly stop: string | null;
  readonly proposalDigest: string | null;
  readonly attempts: number;
  readonly hasPayload: boolean;
}

/** Reads every intent with what belongs to its decision, as the owner, whom no row policy holds. */
export async function readBegun(adminUrl: string): Promise<ReadonlyMap<string, Begun>> {
  const rows = await rowsOf<Begun>(
    adminUrl,
    `select decision_id as "decisionId", ended as "isEnded",
      (select count(*)::integer from countersign.entry e where e.tenant = i.tenant and e.decision_id = i.decision_id
        and e.body::json #> '{commitments,notes}' is not null) as notes,
      (select count(*)::integer from countersign.spend s where s.tenant = i.tenant and s.decision_id = i.decision_id) as spends,
      coalesce((
        select json_agg(json_build_object('id', e.id, 'kind', e.kind, 'stop', e.body::json #>> '{stop,reason}',
          'proposalDigest', e.body::json ->> 'proposalDigest', 'attempts', (e.body::json ->> 'attempts')::integer,
          'hasPayload', exists (select from countersign.payload p where p.tenant = e.tenant and p.entry_id = e.id)))
        from countersign.entry e
        where e.tenant = i.tenant and e.decision_id = i.decision_id and e.kind in ('decided', 'stopped')
      ), '[]') as ends
    from countersign.intent i`,
  );
  return new Map(rows.map((row) => [row.decisionId, row]));
}

/** Rows that belong to no decision that has begun, or to no entry; there must be none. */
export async function countStrays(adminUrl: string): Promise<Readonly<Record<string, number>>> {
  const without = (table: string, owner: string): string =>
    `(select count(*)::integer from countersign.${table} t where not exists (select from countersign.${owner}))`;
  const [counts] = await rowsOf<Record<string, number>>(
    adminUrl,
    `select ${without("entry", "intent i where i.tenant = t.tenant and i.decision_id = t.decision_id")} as entries,
      ${without("payload", "entry e where e.tenant = t.tenant and e.id = t.entry_id")} as payloads,
      ${without("spend", "entry e where e.tenant = t.tenant and e.decision_id = t.decision_id")} as spends`,
  );
  return counts ?? {};
}

/** Everything that is wrong with what became of the decisions of these deciders, in sentences. */
export function findFaults(reports: readonly Report[], begun: ReadonlyMap<string, Begun>): readonly string[] {
  return reports.flatMap((report) => [
    ...faultsOfKill(report),
    ...report.job.decisions.flatMap((planned) => {
      const heard = report.said.filter((said) => "decisionId" in said && said.decisionId === planned.decisionId);
      const found = begun.get(planned.decisionId);
      const faults = found === undefined ? faultsUnbegun(heard) : faultsBegun({ planned, heard, found });
      const isVictim = report.job.kill?.victim === planned.decisionId;
      return [...faults, ...(isVictim ? faultsOfFate(report, found) : [])].map(
        (fault) => `${planned.decisionId} (${planned.does}; killed at ${report.killedAt}) ${fault}`,
      );
    }),
  ]);
}

/** How a decision ended, in one word; `open` where it has not. */
export function endOf({ ends: [end] }: Begun): "open" | "decided" | "stopped" | "abandoned" {
  if (end === undefined) return "open";
  if (end.stop === "abandoned") return "abandoned";
  return end.kind === "decided" ? "decided" : "stopped";
}

function faultsOfKill({ job, killedAt, signal, code, stderr }: Report): readonly string[] {
  const point = job.kill?.point ?? null;
  if (point === killedAt && (point === null ? code === 0 : signal === "SIGKILL")) return [];
  return [
    `a decider that was to be killed at ${point} ended with ${signal ?? code}, killed at ${killedAt}: ${stderr.slice(0, 2000)}`,
  ];
}

function faultsUnbegun(heard: readonly Said[]): readonly string[] {
  return heard.length === 0 ? [] : [`was reported as ${heard.map(({ what }) => what).join(", ")} and never began`];
}

function faultsBegun({ planned, heard, found }: { planned: PlannedDecision; heard: readonly Said[]; found: Begun }): string[] {
  const [end] = found.ends;
  if (end === undefined || found.ends.length > 1) return [`has ${found.ends.length} ends`];
  const closed = heard.find((said) => said.what === "closed");
  const refused = heard.find((said) => said.what === "refused");
  const ended = endOf(found);
  const expected = planned.does === "babble" ? "stopped" : "decided";
  const own =
    ended === "abandoned"
      ? { attempts: 0, notes: 0, hasPayload: false }
      : { attempts: { lend: 2, answer: 1, babble: 3 }[planned.does], notes: expected === "decided" ? 1 : 0, hasPayload: true };
  const claims: readonly (readonly [boolean, string])[] = [
    [found.isEnded, "has an end and its intent is open"],
    [end.id === planned.entryId, "ended under another entry id"],
    [ended === "abandoned" || ended === expected, `ended as ${ended} (${end.stop})`],
    [closed === undefined || ended !== "abandoned", "was reported as closed and is abandoned"],
    [closed === undefined || closed.entryId === end.id, "was reported as closed with another entry"],
    [closed === undefined || closed.proposalDigest === end.proposalDigest, "was reported as closed with another proposal"],
    [
      refused === undefined || (ended === "abandoned" && refused.code === "decision_abandoned"),
      `is ${ended}, told ${refused?.code}`,
    ],
    [end.hasPayload === own.hasPayload, `is ${ended} and ${end.hasPayload ? "has a" : "has no"} payload`],
    [end.attempts === own.attempts && found.spends === own.attempts, `is ${ended} with ${found.spends} rows of spend`],
    [found.notes === own.notes, `is ${ended} with ${found.notes} notes`],
  ];
  return claims.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function faultsOfFate({ job }: Report, found: Begun | undefined): readonly string[] {
  const point = job.kill?.point;
  const fate = point === undefined ? undefined : killPoints.get(point)?.fate;
  const end = found === undefined ? "never_began" : endOf(found);
  const had: Fate | "open" = end === "decided" || end === "stopped" ? "finished" : end;
  const isAsExpected = fate === "either" ? had === "finished" || had === "abandoned" : had === fate;
  return isAsExpected ? [] : [`was to be ${fate} and is ${had}`];
}

async function rowsOf<Row extends object>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
