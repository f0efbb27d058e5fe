import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCountersignError } from "../contract/errors.ts";
import { putSecret } from "./file.ts";
import { makeKeyFile } from "./key-files.ts";
import type { VaultSide } from "./names.ts";
import { openVault } from "./open-vault.ts";
import { newVaultKey } from "./vault-key.ts";

const kept = [
  ["deciding", "reads", "SHOP_READ"],
  ["deciding", "models", "MODEL_KEY"],
  ["desk", "own", "COUNTERSIGN_DESK_KEY"],
  ["desk", "own", "COUNTERSIGN_PAYLOAD_KEY"],
  ["acting", "writes", "SHOP_WRITE"],
  ["acting", "observes", "SHOP_OBSERVE"],
] as const;
const declared = {
  deciding: { reads: ["SHOP_READ"], models: ["MODEL_KEY"] },
  desk: {},
  acting: { writes: ["SHOP_WRITE"], observes: ["SHOP_OBSERVE"] },
};
const sides: VaultSide[] = ["deciding", "desk", "acting"];
let folder: string;
let path: string;
const keyFile = (side: VaultSide) => join(folder, `${side}.key`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-vault-"));
  path = join(folder, "vault.json");
  for (const side of sides) {
    const key = await makeKeyFile(keyFile(side));
    for (const [of, purpose, name] of kept)
      if (of === side) await putSecret({ path, side, keys: [key] }, { name, purpose, value: `CANARY_OF_${name}` });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const envOf = (side: VaultSide, more = {}) => ({
  COUNTERSIGN_VAULT: path,
  COUNTERSIGN_VAULT_KEY_FILE: keyFile(side),
  COUNTERSIGN_ENVIRONMENT: "test",
  ...more,
});

describe.each(sides)("the vault of the %s process", (side) => {
  it("resolves what the file keeps for it, and no other name of the file", async () => {
    const vault = await openVault({ side, env: envOf(side), declared: declared[side] });
    for (const [of, , name] of kept) {
      if (of === side) expect(vault.secret(name)).toBe(`CANARY_OF_${name}`);
      else if (!kept.some(([one, , each]) => one === side && each === name))
        expect(() => vault.secret(name)).toThrow(expect.objectContaining({ code: "secret_missing" }));
    }
    expect(vault.secret("COUNTERSIGN_ENVIRONMENT")).toBe("test");
    expect(`${inspect(vault, { showHidden: true, depth: 9, getters: true })}${JSON.stringify(vault)}`).not.toContain("CANARY");
  });

  it("does not open with the key of another process", async () => {
    for (const other of sides.filter((one) => one !== side))
      await refused(openVault({ side, env: { ...envOf(side), COUNTERSIGN_VAULT_KEY_FILE: keyFile(other) } }));
  });

  it("takes a name from the file where both have it, and from the environment what the file does not hold", async () => {
    const more = {
      SHOP_READ: "stale",
      SHOP_WRITE: "stale",
      COUNTERSIGN_DESK_KEY: "stale",
      COUNTERSIGN_POLICY_KEY: "from the environment",
    };
    const vault = await openVault({ side, env: envOf(side, more), declared: declared[side] });
    for (const [of, , name] of kept) if (of === side) expect(vault.secret(name)).toBe(`CANARY_OF_${name}`);
    if (side === "acting") expect(vault.secret("COUNTERSIGN_POLICY_KEY")).toBe("from the environment");
  });

  it("tells no value of its own that was asked for as a name", async () => {
    const vault = await openVault({ side, env: envOf(side), declared: declared[side] });
    for (const [of, , name] of kept)
      if (of === side) expect(inspect(await thrownBy(async () => vault.secret(`CANARY_OF_${name}`)))).not.toContain("CANARY");
  });
});

describe("a vault", () => {
  it.each([
    ["names no file", { COUNTERSIGN_VAULT: "" }],
    ["names a file that is not there", { COUNTERSIGN_VAULT: "/nowhere/vault.json" }],
    ["gives no key", { COUNTERSIGN_VAULT_KEY_FILE: " " }],
    ["names a key file that is not there", { COUNTERSIGN_VAULT_KEY_FILE: "/nowhere/a.key" }],
    ["gives a key twice", { COUNTERSIGN_VAULT_KEY: newVaultKey() }],
    ["gives another key", { COUNTERSIGN_VAULT_KEY: newVaultKey(), COUNTERSIGN_VAULT_KEY_FILE: "" }],
    ["gives what is no key", { COUNTERSIGN_VAULT_KEY: "CANARY", COUNTERSIGN_VAULT_KEY_FILE: "" }],
  ])("that %s is refused at the start, and the environment does not stand in", async (_what, more) => {
    await refused(openVault({ side: "acting", env: envOf("acting", { SHOP_WRITE: "x", ...more }), declared: declared.acting }));
  });

  it("is the environment's alone where no file is named", async () => {
    const vault = await openVault({ side: "acting", env: { SHOP_WRITE: "plain" }, declared: declared.acting });
    expect(vault.secret("SHOP_WRITE")).toBe("plain");
  });

  it.each([
    ["deciding", { reads: ["SHOP_WRITE"] }],
    ["deciding", { models: ["SHOP_READ"] }],
    ["acting", { writes: ["SHOP_READ"] }],
    ["acting", { writes: ["SHOP_OBSERVE"] }],
    ["acting", { observes: ["MODEL_KEY"] }],
  ] as const)("of the %s process refuses at the start what the file keeps for another use: %j", async (side, other) => {
    expect(await refused(openVault({ side, env: envOf(side), declared: other }))).toContain("give each use");
  });

  it("of a damaged file is refused, in words without its content", async () => {
    const damaged = join(folder, "damaged.json");
    await writeFile(damaged, '{"format":"countersign-vault","version":1,"sections":{"acting":"CANARY"}}');
    await refused(openVault({ side: "acting", env: envOf("acting", { COUNTERSIGN_VAULT: damaged }) }));
  });
});

async function refused(opening: Promise<unknown>): Promise<string> {
  const thrown = await thrownBy(() => opening);
  expect(isCountersignError(thrown, "configuration_invalid"), String(thrown)).toBe(true);
  expect(`${inspect(thrown, { showHidden: true, depth: 9 })}${JSON.stringify(thrown)}`).not.toContain("CANARY");
  return String(thrown);
}

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => new Error("nothing was thrown"),
    (thrown: unknown) => thrown,
  );
}
