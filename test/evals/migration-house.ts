import { generateKeyPairSync } from "node:crypto";
import deciding from "../../examples/refunds/decide.ts";
import hands from "../../examples/refunds/hands.ts";
import { people } from "../../examples/refunds/people.ts";
import project from "../../examples/refunds/project.ts";
import { installSandbox } from "../../examples/refunds/sandbox/install.ts";
import { seedDemo } from "../../examples/refunds/sandbox/seed.ts";
import { script } from "../../examples/refunds/script.ts";
import type { ModelChoice } from "../../src/contract/capability.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { MigrationBounds } from "../../src/contract/migration.ts";
import type { DecidingParts } from "../../src/define/deciding.ts";
import { keepPlan, toCanaryShare, toShadow } from "../../src/evals/migration/stages.ts";
import { migrationGrantText } from "../../src/ledger/model-migrations.ts";
import { systemClock } from "../../src/store/clock.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { readSigningKey, signText } from "../../src/store/signature.ts";
import { type ScriptLine, scriptedProvider } from "../../src/testing/index.ts";
import { type ExampleHouse, openExampleHouse } from "../examples/house.ts";

/** How the new scripted model's replies differ from those of the old one. */
export type Habit = (reply: string) => string;

const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
const keys = generateKeyPairSync("ed25519");
const signing = readSigningKey(keys.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"));
const open = keys.publicKey.export({ format: "der", type: "spki" }).toString("base64");

export const oldModel = "scripted/refunds-2026-11-30";
export const newModel = "next/refunds-2027-01-15";
const choice: Pick<ModelChoice, "provider" | "id"> = { provider: "next", id: "refunds-2027-01-15" };
export const tenant = people.agent.tenant;
export const capability = "refund_order";

/** The deciding half of the refunds with two scripted models: the shop's own, and one that replies the same in the manner of `habit`. */
function withNext(habit: Habit): DecidingParts {
  return {
    ...deciding,
    providers: [...deciding.providers, scriptedProvider({ name: "next", lines: script.map((line) => inManner(line, habit)) })],
  };
}

function inManner({ replies, ...line }: ScriptLine, habit: Habit): ScriptLine {
  return {
    ...line,
    replies: replies.map((reply) => (asked) => habit(typeof reply === "string" ? reply : reply(asked))),
  };
}

/** The refunds at work with a second scripted model, of changing habits, and with a key for migrations that the decider knows. */
export async function openMigrationHouse(): Promise<ExampleHouse & { readonly takeUp: (habit: Habit) => void }> {
  let habit: Habit = (reply) => reply;
  const house = await openExampleHouse({
    ...{ project, hands, deciding: withNext((reply) => habit(reply)) },
    privacy: { policy: null, exemptions: null, publicKeys: [open], dictionaries: new Map() },
    install: async ({ adminUrl }) => {
      const { SHOP_READ_URL, SHOP_WRITE_URL, SHOP_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
      await seedDemo({ adminUrl, tenant });
      return { deciding: { SHOP_READ_URL }, acting: { SHOP_WRITE_URL, SHOP_OBSERVE_URL } };
    },
  });
  const takeUp = (other: Habit): void => {
    habit = other;
  };
  return { ...house, takeUp };
}

const ids = uuidIds(systemClock);
const usualBounds: MigrationBounds = { leastTrials: 20, mostFailedPpm: 20_000, mostDisagreePpm: 50_000 };

/** Plans a migration and has it in shadow; gives its id. */
export async function beginShadow(adminUrl: string, own: { sharePpm?: number; bounds?: MigrationBounds } = {}): Promise<string> {
  const { sharePpm = 1_000_000, bounds = usualBounds } = own;
  const id = ids.next();
  await keepPlan(adminUrl, { tenant, id, capability, oldModel, newModel, choice: JSON.stringify(choice), bounds });
  await toShadow(adminUrl, { tenant, id, sharePpm });
  return id;
}

/** Gives the new model a share, signed by a person; `alter` changes the row behind what was signed. */
export async function giveShare(
  adminUrl: string,
  { id, sharePpm, signedPpm = sharePpm }: { id: string; sharePpm: number; signedPpm?: number },
): Promise<void> {
  const text = migrationGrantText({
    ...{ tenant, migration: id, capability, from: oldModel, to: choice as unknown as JsonObject, sharePpm: signedPpm },
    ...{ by: "ada", reason: "the old model is shut down in January", at: systemClock.now() },
  });
  await toCanaryShare(adminUrl, {
    tenant,
    id,
    sharePpm,
    grant: { text, keyId: signing.keyId, signature: signText(signing, text) },
  });
}
