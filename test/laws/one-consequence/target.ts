import pg from "pg";
import type { ApplyOptions, Hand, Hands } from "../../../src/act/hands.ts";
import type { Dedupe } from "../../../src/contract/words.ts";
import { type AtPoint, sampleHands, type sampleProject } from "../../postgres/acting/project.ts";

/** The table beside the tickets in which the target keeps the highest fence that it was told, and the highest that changed something. */
export const targetSql =
  "create table sandbox.fence (name text primary key, fence bigint not null, used bigint not null default 0)";

/** The sample's hands before a target that offers what its kind promises and nothing more, and that counts every send that reached it. */
export interface Target {
  readonly hands: Hands;
  readonly sends: ApplyOptions[];
  readonly close: () => Promise<void>;
}

/** Opens such a target; `at` looks in as in the sample's own hands. */
export function openTarget({
  sample,
  dedupe,
  url,
  at = async () => {},
}: {
  sample: ReturnType<typeof sampleProject>;
  dedupe: Dedupe;
  url: string;
  at?: AtPoint;
}): Target {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const hands = sampleHands(sample, at);
  const [adding, closing] = hands.hands;
  if (adding === undefined || closing === undefined) throw new Error("the sample has two hands");
  const sends: ApplyOptions[] = [];
  const bind: typeof adding.apply.bind = async () => async (params, options) => {
    const { name, note } = params as { name: string; note: string }; // checked against the effect's schema
    sends.push(options);
    await at("arriving", options.signal);
    const targetId = await add(pool, { name, note, dedupe, ...options });
    await at("committed", options.signal);
    return { targetId };
  };
  const raiseFence: NonNullable<Hand["raiseFence"]> = {
    connector: adding.apply.connector,
    bind:
      async () =>
      async (params, { fence }) =>
        raise(pool, (params as { name: string }).name, fence), // checked as above
  };
  return {
    hands: { ...hands, hands: [{ ...adding, apply: { ...adding.apply, bind }, raiseFence }, closing] },
    sends,
    close: () => pool.end(),
  };
}

async function raise(pool: pg.Pool, name: string, fence: number): Promise<void> {
  const text = `insert into sandbox.fence (name, fence) values ($1, $2)
    on conflict (name) do update set fence = greatest(fence.fence, excluded.fence)`;
  await pool.query(text, [name, fence]);
}

type Adding = { name: string; note: string; dedupe: Dedupe } & ApplyOptions;

async function add(pool: pg.Pool, { name, note, dedupe, idempotencyKey, fence }: Adding): Promise<string | null> {
  if (dedupe === "fence") {
    const text = `insert into sandbox.fence (name, fence, used) values ($1, $2, $2)
      on conflict (name) do update set fence = excluded.fence, used = excluded.used
      where fence.fence <= excluded.fence and fence.used < excluded.used`;
    if ((await pool.query(text, [name, fence])).rowCount === 0) throw new Error("an older fence");
  }
  const unless = { key: "sent = $3", conditional: "name = $1", fence: "false", observe: "false", none: "false" }[dedupe];
  const text = `insert into sandbox.ticket (name, note, status, sent)
    select $1, $2, 'open', $3 where not exists (select from sandbox.ticket where ${unless}) returning id`;
  const { rows } = await pool.query<{ id: string }>(text, [name, note, idempotencyKey]);
  return rows[0]?.id ?? null;
}
