import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { processEnvironments } from "../../../src/cli/environments.ts";
import { type WriterRole, writerRoles } from "../../../src/contract/words.ts";
import { putSecret } from "../../../src/vault/file.ts";
import { makeKeyFile } from "../../../src/vault/key-files.ts";
import type { House } from "../../postgres/acting/house.ts";
import { newSigningKey } from "../../setup/privacy.ts";

const password = "for-tests-only";

/** What `start` would hand each process of a house whose sandbox has a login that reads and one that writes. */
export interface Installed {
  readonly environments: Readonly<Record<WriterRole, NodeJS.ProcessEnv>>;
  readonly close: () => Promise<void>;
}

/** Installs it: logins of the sandbox, a vault file with a section for each half, and the environments that `start` makes. */
export async function install(house: House): Promise<Installed> {
  const suffix = randomBytes(6).toString("hex");
  const [reads, writes] = [`sandbox_reads_${suffix}`, `sandbox_writes_${suffix}`];
  for (const role of [reads, writes]) {
    await house.admin.query(`create role ${role} login password '${password}'`);
    await house.admin.query(`grant usage on schema sandbox to ${role}; grant select on sandbox.ticket to ${role}`);
  }
  await house.admin.query(`grant insert, update on sandbox.ticket to ${writes}`);
  const folder = await mkdtemp(join(tmpdir(), "countersign-law-1-"));
  const vaults = await fillVault(folder, house);
  const urlOf = (role: string) => {
    const url = new URL(house.store.adminUrl);
    [url.username, url.password] = [role, password];
    return url.href;
  };
  const environments = processEnvironments({
    settings: settingsOf(house),
    secrets: {
      deciding: { SANDBOX_READ: urlOf(reads) },
      acting: { SANDBOX_WRITE: urlOf(writes), SANDBOX_OBSERVE: urlOf(reads) },
    },
    ...{ sandbox: null, adminUrl: house.store.adminUrl, project: "sample", directory: folder, vaults },
    ports: { desk: 1, decider: 2 },
  });
  return {
    environments,
    close: async () => {
      await rm(folder, { recursive: true, force: true });
      const server = new pg.Client({ connectionString: inject("postgresAdminUrl") });
      await server.connect();
      // Their rights went with the database.
      for (const role of [reads, writes]) await server.query(`drop role if exists ${role}`);
      await server.end();
    },
  };
}

function settingsOf({ payloadKey, deskKey, policyKey }: House): Parameters<typeof processEnvironments>[0]["settings"] {
  const person = { tenant: "acme", id: "ada", name: "Ada", roles: ["approver"], key: "key-of-ada-for-law-1" };
  return {
    ...{ version: 1, slicesOpened: false, canary: "canary", people: [person] },
    ...{ payloadKey: payloadKey.toString("base64"), policyKey: policyKey.secret },
    privacyKeys: newSigningKey(),
    ledgerKeys: newSigningKey(),
    ...{ deskKey: deskKey.secret, deskPublicKey: deskKey.open },
    rolePasswords: { deciding: password, desk: password, acting: password, ingesting: password },
  };
}

/** One file for all; each process is given the key of its own section, as on a machine of its own. */
async function fillVault(folder: string, { policyKey, deskKey, payloadKey }: House) {
  const path = join(folder, "vault.json");
  const kept = {
    deciding: ["COUNTERSIGN_PAYLOAD_KEY", payloadKey.toString("base64")],
    desk: ["COUNTERSIGN_DESK_KEY", deskKey.secret],
    acting: ["COUNTERSIGN_POLICY_KEY", policyKey.secret],
  } as const;
  const vaults: { [role in WriterRole]?: Record<string, string> } = {};
  for (const side of writerRoles) {
    const keyFile = join(folder, `${side}.key`);
    const [name, value] = kept[side];
    await putSecret({ path, side, keys: [await makeKeyFile(keyFile)] }, { name, purpose: "own", value });
    vaults[side] = { COUNTERSIGN_VAULT: path, COUNTERSIGN_VAULT_KEY_FILE: keyFile };
  }
  return vaults;
}
