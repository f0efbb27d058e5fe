import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { type CarriedOut, openErasures } from "../ledger/erasure/erasures.ts";
import {
  type ErasureOf,
  listErasures,
  requestErasure,
  type WaitingErasure,
  type WaitingErasures,
} from "../ledger/erasure/manage-erasure.ts";
import { payloadKeys } from "../ledger/payload.ts";
import { pooledRandom } from "../ledger/random.ts";
import { systemClock } from "../store/clock.ts";
import { openDatabase } from "../store/database.ts";
import { isId, uuidIds } from "../store/ids.ts";
import { databaseTime } from "../store/time.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { withOwner } from "./owner.ts";
import { payloadKeyOf } from "./payload-key.ts";
import { checkedId } from "./people-form.ts";
import { print } from "./print.ts";
import { reasonOf } from "./reason.ts";

interface EraseOptions {
  readonly person?: string;
  readonly tenant?: string;
  readonly reason: string;
  readonly yes?: true;
  readonly directory: string;
  readonly json?: true;
}

/**
 * Erases the bodies of one decision, or everything that is kept of a person; the request is on record before anything is erased, so one
 * that is killed is carried on by a worker. Says what is left for later, and why. Throws `bad_request` without `--yes`, `not_found`.
 */
export async function erase(decisionId: string | undefined, options: EraseOptions): Promise<void> {
  const { yes, json, tenant = null } = options;
  const of = asked(decisionId, options);
  const reason = reasonOf(options.reason);
  if (yes !== true) throw new CountersignError("bad_request", "this cannot be undone; say --yes");
  const directory = resolve(options.directory);
  const key = await payloadKeyOf(directory);
  const request = await withOwner(directory, (adminUrl) => requestErasure(adminUrl, { tenant, of, reason }));
  const { erased, decisionIds } = await carryOut(directory, key, { tenant: request.tenant, of });
  const person = "person" in of ? of.person : null;
  const left = await withOwner(directory, (adminUrl) => listErasures(adminUrl, request.tenant, { person, decisionIds }));
  print({
    json,
    value: { ...request, ...of, erased, ...left },
    lines: [`erased ${erased}; the ledger stays and verifies`, ...linesOf(left)],
  });
}

/** Lists what is to be erased and is not yet. */
export async function erasures({ tenant, directory, json }: { tenant?: string; directory: string; json?: true }): Promise<void> {
  const left = await withOwner(resolve(directory), (adminUrl) => listErasures(adminUrl, tenant ?? null));
  print({ json, value: left, lines: left.waiting.length === 0 ? ["nothing waits to be erased"] : linesOf(left) });
}

function asked(decisionId: string | undefined, { person, tenant }: EraseOptions): ErasureOf {
  if ((decisionId === undefined) === (person === undefined))
    throw new CountersignError("bad_request", "name a decision, or a person by --person and --tenant");
  if (decisionId !== undefined) {
    if (!isId(decisionId)) throw new CountersignError("not_found", "no decision of that id has ended here");
    return { decisionId };
  }
  checkedId("the tenant's id", tenant ?? "");
  return { person: checkedId("the person's id", person ?? "") };
}

/** Under the role that erases, this request alone; whoever works beside it has other groups in hand. */
function carryOut(directory: string, key: Buffer, one: { tenant: string; of: ErasureOf }): Promise<CarriedOut> {
  return withRoleUrl({ directory, role: "acting" }, async (url) => {
    const database = openDatabase({ url, role: "acting", connections: 1 });
    const keys = payloadKeys(key, pooledRandom(), database);
    const parts = { database, keys, ids: uuidIds(systemClock), storeTime: databaseTime, declared: new Map() };
    const onError = (thrown: unknown) => {
      throw thrown;
    };
    try {
      return await openErasures({ ...parts, onError }).carryOutOne(one);
    } finally {
      await database.close();
    }
  });
}

const whys = {
  operation: "an operation on it is open, or something of it is signed",
  case: "a case still needs it",
  review: "a person may still sign it",
  decision: "a decision that had begun has not ended",
  hold: "it is held",
  unreadable: "its payload does not open with this key",
} as const;

function linesOf({ waiting, more }: WaitingErasures): readonly string[] {
  return [...waiting.map(lineOf), ...(more === 0 ? [] : [`and ${more} more, which wait behind these`])];
}

function lineOf({ tenant, decisionId, person, part, waitsFor, dueAt }: WaitingErasure): string {
  const what =
    decisionId === null ? `everything of ${person}` : `${part === "inputs" ? "the inputs" : "all"} of decision ${decisionId}`;
  const why = waitsFor === null ? "not tried yet" : whys[waitsFor];
  return `waits in ${tenant}: ${what}: ${why}; tried next at ${new Date(dueAt).toISOString()}`;
}
