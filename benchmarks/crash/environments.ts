/** Who is there, and what each process is given: none gets what belongs to another. */
import { generateKeyPairSync } from "node:crypto";
import { newApiKey } from "../../src/identity/keys.ts";
import type { People } from "./flows.ts";
import type { Role } from "./plan.ts";

/** Somebody with a key. */
export interface Member {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly key: string;
}

/** Erin asks, Ada and Abe sign, Oda owns; in each tenant others of the same names. */
export function staffOf(of: readonly string[]): readonly Member[] {
  const rolesOf = { erin: ["employee"], ada: ["approver"], abe: ["approver"], oda: ["owner"] };
  return of.flatMap((tenant) =>
    Object.entries(rolesOf).map(([id, roles]) => ({ tenant, id, name: id, roles, key: newApiKey() })),
  );
}

export function peopleOf(staff: readonly Member[]): readonly People[] {
  return [...new Set(staff.map(({ tenant }) => tenant))].map((tenant) => {
    const keyOf = (id: string): string => staff.find((one) => one.tenant === tenant && one.id === id)?.key ?? "";
    return { tenant, asker: keyOf("erin"), signers: [keyOf("ada"), keyOf("abe")] };
  });
}

/** What each role finds in its environment: its own database login, its own keys, its own way to the target. */
export function environments({
  base,
  project,
  urls,
  payloadKey,
  heads,
  secrets,
}: {
  base: NodeJS.ProcessEnv;
  /** The folder of the project. */
  project: string;
  urls: Readonly<Record<"deciding" | "desk" | "acting", string>>;
  payloadKey: Buffer;
  heads: string;
  secrets: { readonly read: string; readonly write: string; readonly observe: string };
}): Record<Role, NodeJS.ProcessEnv> {
  const desk = newKey();
  const asserting = newKey();
  const common = {
    ...base,
    COUNTERSIGN_ENVIRONMENT: "demo",
    COUNTERSIGN_PROJECT: project,
    COUNTERSIGN_PAYLOAD_KEY: payloadKey.toString("base64"),
  };
  return {
    decider: {
      ...common,
      COUNTERSIGN_DECIDING_URL: urls.deciding,
      COUNTERSIGN_ASSERTION_PUBLIC_KEYS: asserting.open,
      TARGET_READ: secrets.read,
    },
    desk: {
      ...common,
      COUNTERSIGN_DESK_URL: urls.desk,
      COUNTERSIGN_ASSERTION_KEY: asserting.secret,
      COUNTERSIGN_DESK_KEY: desk.secret,
    },
    worker: {
      ...common,
      COUNTERSIGN_ACTING_URL: urls.acting,
      COUNTERSIGN_POLICY_KEY: newKey().secret,
      COUNTERSIGN_DESK_PUBLIC_KEYS: desk.open,
      COUNTERSIGN_HEADS: heads,
      TARGET_WRITE: secrets.write,
      TARGET_OBSERVE: secrets.observe,
    },
  };
}

function newKey(): { readonly secret: string; readonly open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}
