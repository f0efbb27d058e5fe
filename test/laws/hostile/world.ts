import type { Vault } from "../../../src/contract/ports.ts";
import type { WriterRole } from "../../../src/contract/words.ts";
import { type PayloadKeys, payloadKeys } from "../../../src/ledger/payload.ts";
import { pooledRandom } from "../../../src/ledger/random.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { openSide, readVaultFile } from "../../../src/vault/file.ts";
import { readKeys } from "../../../src/vault/key-files.ts";
import type { SecretValues } from "../../../src/vault/section.ts";
import { sampleHands, sampleProject } from "../../postgres/acting/project.ts";

/** What there is to forge, told to every process alike: all of it can be read in the ledger. */
export interface Target {
  readonly tenant: string;
  /** Decisions that wait for a signature. */
  readonly waiting: readonly [string, string, string];
  /** A decision whose effect was applied, its operation, the approval of it and the entry that decided it. */
  readonly done: {
    readonly decisionId: string;
    readonly operationId: string;
    readonly approvalId: string;
    readonly entryId: string;
  };
  /** The administrator's URL is in no process; only the control as owner gets it. */
  readonly ownerUrl: string | null;
}

/** What an attempt works with: what the process holds, and everybody's code. */
export interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly target: Target;
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly payloadKey: Buffer;
  readonly clock: typeof systemClock;
  readonly ids: ReturnType<typeof uuidIds>;
  readonly sample: ReturnType<typeof sampleProject>;
  readonly hands: ReturnType<typeof sampleHands>;
  /** Gives any name the value that it has here, or else some other credential of the process: hostile code tries what it has. */
  readonly anyCredential: (instead: string) => Vault;
  /** Every credential of the process that looks like one for a database. */
  readonly credentials: readonly string[];
  /** The values of a section of the vault file, opened with the key that this process was given. */
  readonly section: (side: WriterRole) => Promise<SecretValues>;
  readonly close: () => Promise<void>;
}

const urlNames = ["COUNTERSIGN_DECIDING_URL", "COUNTERSIGN_DESK_URL", "COUNTERSIGN_ACTING_URL"] as const;

/** Opens what a process of this side has. */
export function openWorld({ env, side, target }: { env: NodeJS.ProcessEnv; side: WriterRole | "owner"; target: Target }): World {
  const url = target.ownerUrl ?? urlNames.map((name) => env[name]).find((value) => value !== undefined) ?? "";
  const payloadKey = Buffer.from(env["COUNTERSIGN_PAYLOAD_KEY"] ?? "", "base64");
  const database = openDatabase({ url, role: side === "owner" ? "admin" : side, connections: 2 });
  const sample = sampleProject();
  return {
    ...{ env, target, database, payloadKey, sample, clock: systemClock },
    keys: payloadKeys(payloadKey, pooledRandom()),
    ids: uuidIds(systemClock),
    hands: sampleHands(sample),
    anyCredential: (instead) => ({ secret: (name) => env[name] ?? instead }),
    credentials: [...new Set(Object.values(env).filter((value): value is string => value?.startsWith("postgres") === true))],
    section: async (of) => {
      const path = env["COUNTERSIGN_VAULT"] ?? "";
      const keys = await readKeys(env["COUNTERSIGN_VAULT_KEY_FILE"] ?? "");
      return openSide((await readVaultFile(path)) ?? {}, { path, side: of, keys }).values;
    },
    close: () => database.close(),
  };
}
