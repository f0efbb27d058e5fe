import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isCountersignError } from "../contract/errors.ts";
import { openSide, putSecret, readVaultFile, removeSecret, rotateSide } from "./file.ts";
import { namesOf } from "./file-form.ts";
import { makeKeyFile, readKeys, replaceKeyFile } from "./key-files.ts";
import type { VaultSide } from "./names.ts";
import { keyIdOf, newVaultKey, parseVaultKey } from "./vault-key.ts";

const newKey = () => parseVaultKey(newVaultKey(), "a test");
const keys = { deciding: newKey(), desk: newKey(), acting: newKey() };
let folder: string;
let path: string;
const at = (side: VaultSide, key = keys[side]) => ({ path, side, keys: [key] });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-vault-"));
  path = join(folder, "vault.json");
  await putSecret(at("deciding"), { name: "SHOP_READ", purpose: "reads", value: "CANARY-read" });
  await putSecret(at("deciding"), { name: "MODEL_KEY", purpose: "models", value: "CANARY-model" });
  await putSecret(at("acting"), { name: "SHOP_WRITE", purpose: "writes", value: "CANARY-write\nsecond line" });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(side: VaultSide, key = keys[side]): Promise<Readonly<Record<string, string>>> {
  const sections = await readVaultFile(path);
  if (sections === null) throw new Error("there is no file");
  return Object.fromEntries(openSide(sections, at(side, key)).values);
}

describe("a vault file", () => {
  it("gives each side what was kept for it, and holds no value in clear or in base64", async () => {
    expect(await open("deciding")).toEqual({ SHOP_READ: "CANARY-read", MODEL_KEY: "CANARY-model" });
    expect(await open("acting")).toEqual({ SHOP_WRITE: "CANARY-write\nsecond line" });
    const text = await readFile(path, "latin1");
    for (const form of ["CANARY", Buffer.from("CANARY-read").toString("base64").slice(0, 12)]) expect(text).not.toContain(form);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("opens under the key of its own side alone", async () => {
    for (const side of ["deciding", "acting"] as const)
      for (const other of ["deciding", "desk", "acting"] as const)
        if (side !== other) expect(await failure(() => open(side, keys[other]))).toMatchObject({ code: "configuration_invalid" });
  });

  it("does not open a section that was put in another's place, nor one whose names were changed", async () => {
    const file = JSON.parse(await readFile(path, "utf8"));
    const { deciding, acting } = file.sections;
    const moved = { acting: { ...deciding, names: acting.names } };
    const renamed = { deciding: { ...deciding, names: { SHOP_READ: "models", MODEL_KEY: "reads" } } };
    const spared = { deciding: { ...deciding, names: { SHOP_READ: "reads" } } };
    for (const [sections, side] of [
      [moved, "acting"],
      [renamed, "deciding"],
      [spared, "deciding"],
    ] as const) {
      await writeFile(path, JSON.stringify({ ...file, sections }));
      const thrown = await failure(() => open(side, keys.deciding));
      expect(thrown).toMatchObject({ code: "configuration_invalid", message: expect.stringContaining("was changed") });
    }
  });

  it("refuses any changed byte of a section, or opens what was kept", async () => {
    const text = await readFile(path, "utf8");
    const whole = await open("deciding");
    const end = text.indexOf('"acting"');
    let refused = 0;
    for (let place = text.indexOf('"sections"'); place < end; place += 3) {
      const changed = text[place] === "A" ? "B" : "A";
      await writeFile(path, text.slice(0, place) + changed + text.slice(place + 1));
      const opened = await open("deciding").catch((thrown: unknown) => thrown);
      if (!isCountersignError(opened, "configuration_invalid")) expect(opened).toEqual(whole);
      else refused += 1;
      expect(inspect(opened instanceof Error ? opened : "", { depth: 9, showHidden: true })).not.toContain("CANARY");
    }
    expect(refused).toBeGreaterThan(80);
  });

  it("refuses a file of half its length, of another version, and one that others may write", async () => {
    const text = await readFile(path, "utf8");
    for (const broken of ["", "null", text.slice(0, text.length / 2), text.replace('"version": 1', '"version": 2')]) {
      await writeFile(path, broken);
      expect(await failure(() => open("deciding"))).toMatchObject({ code: "configuration_invalid" });
    }
    await writeFile(path, text);
    await chmod(path, 0o620);
    expect(await failure(() => open("deciding"))).toMatchObject({ message: expect.stringContaining("go-w") });
  });

  it("refuses a name on two sides, a key on two sides, and a name of Countersign where it does not belong", async () => {
    const secret = { name: "SHOP_READ", purpose: "observes", value: "x" } as const;
    expect(await failure(() => putSecret(at("acting"), secret))).toMatchObject({ message: expect.stringContaining("two sides") });
    const own = { name: "COUNTERSIGN_DESK_KEY", purpose: "own", value: "x" } as const;
    expect(await failure(() => putSecret(at("desk", keys.acting), own))).toMatchObject({
      message: expect.stringContaining("same key"),
    });
    expect(await failure(() => putSecret(at("acting"), own))).toMatchObject({
      message: expect.stringContaining("do not belong"),
    });
    expect(await open("acting")).toEqual({ SHOP_WRITE: "CANARY-write\nsecond line" });
  });

  it("forgets a secret, and a section with the last one", async () => {
    await removeSecret(at("deciding"), "MODEL_KEY");
    expect(await open("deciding")).toEqual({ SHOP_READ: "CANARY-read" });
    await removeSecret(at("acting"), "SHOP_WRITE");
    expect(namesOf((await readVaultFile(path)) ?? {})).toEqual([{ name: "SHOP_READ", side: "deciding", purpose: "reads" }]);
  });

  it("seals anew with every change, and under a new key opens with no old one", async () => {
    const before = (await readVaultFile(path))?.acting?.sealed;
    const newer = newKey();
    await rotateSide(at("acting"), newer);
    expect((await readVaultFile(path))?.acting?.sealed).not.toBe(before);
    expect(await failure(() => open("acting"))).toMatchObject({ code: "configuration_invalid" });
    expect(await open("acting", newer)).toEqual({ SHOP_WRITE: "CANARY-write\nsecond line" });
    expect(await open("deciding")).toHaveProperty("SHOP_READ", "CANARY-read");
  });

  it("is whole for whoever reads while it is written, and when the writer is killed", { timeout: 60_000 }, async () => {
    const key = newVaultKey();
    const opened = async () => (await open("desk", parseVaultKey(key, "a test")))["COUNTERSIGN_DESK_KEY"];
    const file = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const writing = `import { putSecret } from ${file("./file.ts")}; import { parseVaultKey } from ${file("./vault-key.ts")};
      const at = { path: ${JSON.stringify(path)}, side: "desk", keys: [parseVaultKey("${key}", "-")] };
      for (let n = 0; ; n += 1) { await putSecret(at, { name: "COUNTERSIGN_DESK_KEY", purpose: "own", value: "v".repeat(200000) + n }); console.log(n); }`;
    for (let kill = 0; kill < 3; kill += 1) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", writing], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      const seen = new Set<string>();
      while (seen.size < 8) {
        const value = await opened();
        expect(value).toMatch(/^v{200000}\d+$/);
        seen.add(value ?? "");
      }
      child.kill("SIGKILL");
      await once(child, "close");
      expect(await opened()).toMatch(/^v{200000}\d+$/);
    }
    expect(await open("deciding")).toHaveProperty("SHOP_READ", "CANARY-read");
  });
});

describe("a key file", () => {
  it("is its owner's alone, and is not read where it is not", async () => {
    const file = join(folder, "a.key");
    await makeKeyFile(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const mode of [0o640, 0o604, 0o660, 0o666]) {
      await chmod(file, mode);
      expect(await failure(() => readKeys(file))).toMatchObject({ message: expect.stringContaining("chmod 600") });
    }
  });

  it.each(["", "short", "A".repeat(43), `${"A".repeat(43)}=${"A".repeat(4)}`, "-".repeat(44)])(
    "may not hold %j",
    async (text) => {
      const file = join(folder, "a.key");
      await writeFile(file, text, { mode: 0o600 });
      const thrown = await failure(() => readKeys(file));
      expect(thrown).toMatchObject({ code: "configuration_invalid" });
      if (text !== "") expect(inspect(thrown)).not.toContain(text);
    },
  );

  it("shows no key when it is printed", async () => {
    const text = newVaultKey();
    const key = parseVaultKey(text, "a test");
    const shown = `${inspect(key, { showHidden: true, depth: 9 })}${JSON.stringify(key)}${keyIdOf(key)}`;
    for (const form of [text, Buffer.from(text, "base64").toString("hex")]) expect(shown).not.toContain(form);
    expect(keyIdOf(key)).toMatch(/^[0-9a-f]{16}$/);
  });

  it("opens its section wherever a rotation was interrupted, and the next rotation ends it", async () => {
    const file = join(folder, "desk.key");
    const first = await makeKeyFile(file);
    const own = { name: "COUNTERSIGN_DESK_KEY", purpose: "own", value: "CANARY-desk" } as const;
    await putSecret(at("desk", first), own);
    const reads = async () => {
      const sections = (await readVaultFile(path)) ?? {};
      const opened = openSide(sections, { path, side: "desk", keys: await readKeys(file) });
      expect(opened.values.get(own.name)).toBe("CANARY-desk");
      return opened.key;
    };
    const crash = async () => Promise.reject(new Error("killed"));
    const place = (key: typeof first) => ({ path: file, sealedUnder: keyIdOf(key) });
    // Before anything is sealed under the new key; after it is, and before the new key is the only one; then to its end.
    await expect(replaceKeyFile(place(await reads()), crash)).rejects.toThrow("killed");
    await expect(
      replaceKeyFile(place(await reads()), async (key) => rotateSide(at("desk", first), key).then(crash)),
    ).rejects.toThrow("killed");
    const second = await reads();
    await expect(replaceKeyFile(place(second), crash)).rejects.toThrow("killed");
    await replaceKeyFile(place(await reads()), async (key) => rotateSide(at("desk", second), key));
    expect(keyIdOf(await reads())).not.toBe(keyIdOf(second));
    expect((await readdir(folder)).sort()).toEqual(["desk.key", "vault.json"]);
  });
});

async function failure(work: () => Promise<unknown>): Promise<Error> {
  try {
    await work();
  } catch (thrown) {
    if (isCountersignError(thrown)) {
      expect(`${inspect(thrown, { showHidden: true, depth: 9 })}${JSON.stringify(thrown)}`).not.toContain("CANARY");
      return thrown;
    }
    throw thrown;
  }
  throw new Error("nothing was thrown");
}
