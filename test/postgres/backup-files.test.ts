import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { manifestBytes, readManifest } from "../../src/ledger/backup/manifest.ts";
import { firstLine, frameBytes } from "../../src/store/backup/frames.ts";
import { readSigningKey } from "../../src/store/signature.ts";
import type { MigratedDatabase } from "../setup/project-database.ts";
import { newKey } from "./acting/house.ts";
import { backUp, emptyDatabase, openPlace, type Place, restoreTo, seal, verify } from "./backup/place.ts";

// What may come as a file, and what may stand where it is to go: nothing is restored, and nothing that is there is changed.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });
const passphrase = "correct horse battery";
let place: Place;
let target: MigratedDatabase;
let file: string;
let whole: Buffer;

beforeAll(async () => {
  place = await openPlace();
  target = await emptyDatabase();
  file = join(place.directory, "whole.backup");
  for (const name of ["a", "b", "c"]) await place.house.decide({ changes: [place.house.add(name)] });
  await seal(place.house, place.heads);
  vi.stubEnv("COUNTERSIGN_BACKUP_PASSPHRASE", passphrase);
  await backUp(place, file, { withKeys: true });
  whole = await readFile(file);
});
afterAll(async () => {
  await target?.drop();
  await place?.close();
});

const attempt = (of: string, options: { passphraseFile?: string } = {}) =>
  restoreTo(
    { adminUrl: target.adminUrl, heads: join(place.directory, "other"), file: of },
    {
      directory: join(place.directory, "restored"),
      ...options,
    },
  );
/** No folder, and nothing of ours in the database. */
async function expectNothing(): Promise<void> {
  expect(existsSync(join(place.directory, "restored"))).toBe(false);
  const client = new pg.Client({ connectionString: target.adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass('countersign.entry') is null as nothing");
    expect(rows).toEqual([{ nothing: true }]);
  } finally {
    await client.end();
  }
}
async function written(name: string, bytes: Buffer): Promise<string> {
  const path = join(place.directory, name);
  await writeFile(path, bytes);
  return path;
}
/** The unpacked frames, and the same file with others. */
const frames = () => gunzipSync(whole.subarray(firstLine.length));
const packed = (bytes: Buffer) => Buffer.concat([Buffer.from(firstLine), gzipSync(bytes)]);
/** Where the manifest's frame begins. */
function manifestAt(bytes: Buffer): number {
  let at = 0;
  while (bytes.toString("latin1", at, at + 1) !== "M") at += 5 + bytes.readUInt32BE(at + 1);
  return at;
}

describe("a file that is no whole backup", () => {
  it("is refused wherever it was cut off", async () => {
    for (const share of [0, 0.001, 0.2, 0.7, 0.999]) {
      const cut = await written("cut.backup", whole.subarray(0, Math.floor(whole.length * share)));
      await expect(attempt(cut)).rejects.toMatchObject({ code: "backup_unreadable" });
    }
    await expect(attempt(await written("cut.backup", whole.subarray(0, -1)))).rejects.toMatchObject({
      code: "backup_unreadable",
    });
    const bytes = frames();
    const rest = await written("cut.backup", packed(bytes.subarray(0, manifestAt(bytes))));
    await expect(attempt(rest)).rejects.toMatchObject({
      code: "backup_unreadable",
      message: expect.stringContaining("before its manifest"),
    });
    await expectNothing();
  });

  it("is refused wherever a bit of it was altered, also where it unpacks", async () => {
    for (let i = 1; i <= 20; i += 1) {
      const altered = Buffer.from(whole);
      const at = firstLine.length + 10 + Math.floor(((whole.length - firstLine.length - 11) * i) / 20);
      altered.writeUInt8(altered.readUInt8(at) ^ 0x10, at);
      await expect(attempt(await written("altered.backup", altered))).rejects.toMatchObject({ code: "backup_unreadable" });
    }
    const bytes = frames();
    const replaced = Buffer.from(bytes.toString("latin1").replace("\tAcme\t", "\tAcne\t"), "latin1");
    expect(replaced.equals(bytes)).toBe(false);
    await expect(attempt(await written("altered.backup", packed(replaced)))).rejects.toMatchObject({ code: "backup_unreadable" });
    const more = packed(Buffer.concat([bytes, frameBytes({ kind: "D", bytes: Buffer.from("x\n") })]));
    await expect(attempt(await written("altered.backup", more))).rejects.toMatchObject({ code: "backup_unreadable" });
    await expectNothing();
  });

  it("is refused where another key signed its manifest, or none of it fits its own", async () => {
    const bytes = frames();
    const at = manifestAt(bytes);
    const { manifest } = readManifest(bytes.subarray(at + 5));
    const signedBy = (key: string, changed: object = {}) =>
      packed(
        Buffer.concat([
          bytes.subarray(0, at),
          frameBytes({ kind: "M", bytes: manifestBytes({ ...manifest, ...changed }, readSigningKey(key)) }),
        ]),
      );
    const foreign = await written("foreign.backup", signedBy(newKey().secret));
    await expect(attempt(foreign)).rejects.toMatchObject({
      code: "configuration_invalid",
      message: expect.stringContaining("ledger key"),
    });
    const said = JSON.parse(bytes.toString("utf8", at + 5)) as { text: string };
    const unsigned = { ...said, text: said.text.replace('"globex"', '"globey"') };
    const last = frameBytes({ kind: "M", bytes: Buffer.from(JSON.stringify(unsigned)) });
    const changed = await written("changed.backup", packed(Buffer.concat([bytes.subarray(0, at), last])));
    await expect(attempt(changed)).rejects.toMatchObject({
      code: "backup_unreadable",
      message: expect.stringContaining("did not sign"),
    });
    const newer = await written(
      "newer.backup",
      signedBy(place.ledgerKey, { migrations: [...manifest.migrations, "9999_later.sql"] }),
    );
    await expect(attempt(newer)).rejects.toMatchObject({ code: "backup_too_new" });
    await expectNothing();
  });

  it("is refused where its form is newer, and where it is something else", async () => {
    const newer = Buffer.concat([Buffer.from("countersign backup 2\n"), whole.subarray(firstLine.length)]);
    await expect(attempt(await written("newer.backup", newer))).rejects.toMatchObject({ code: "backup_too_new" });
    await expect(attempt(await written("other.backup", Buffer.from("hello")))).rejects.toMatchObject({
      code: "backup_unreadable",
    });
    await expect(attempt(join(place.directory, "missing"))).rejects.toMatchObject({ code: "bad_request" });
    await expectNothing();
  });
});

describe("the keys", () => {
  it("open under their passphrase alone, and nothing is restored without them or with others", async () => {
    const wrong = await written("wrong.txt", Buffer.from("correct horse batterz\n"));
    await expect(attempt(file, { passphraseFile: wrong })).rejects.toMatchObject({ code: "backup_unreadable" });
    vi.stubEnv("COUNTERSIGN_BACKUP_PASSPHRASE", "");
    const payloadKey = process.env["COUNTERSIGN_PAYLOAD_KEY"];
    for (const other of ["", Buffer.alloc(32, 1).toString("base64")]) {
      vi.stubEnv("COUNTERSIGN_PAYLOAD_KEY", other);
      await expect(attempt(file)).rejects.toMatchObject({
        code: "configuration_invalid",
        message: expect.stringContaining("payload key"),
      });
    }
    vi.stubEnv("COUNTERSIGN_PAYLOAD_KEY", payloadKey ?? "");
    vi.stubEnv("COUNTERSIGN_BACKUP_PASSPHRASE", "short");
    await expect(backUp(place, join(place.directory, "short.backup"), { withKeys: true })).rejects.toMatchObject({
      code: "configuration_invalid",
    });
    vi.stubEnv("COUNTERSIGN_BACKUP_PASSPHRASE", passphrase);
    const secret = place.house.payloadKey.toString("base64");
    expect(frames().includes(secret)).toBe(false);
    await expectNothing();
  });
});

describe("a backup", () => {
  it("takes the place of no file, and is its owner's alone", async () => {
    await expect(backUp(place, file)).rejects.toMatchObject({ code: "bad_request" });
    expect(await readFile(file)).toEqual(whole);
    await expect(backUp(place, join(place.directory, "no", "folder.backup"))).rejects.toMatchObject({ code: "bad_request" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(place.directory)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("goes into no database that holds something", async () => {
    const { adminUrl } = place.house.store;
    const before = (await place.house.admin.query("select count(*) from countersign.entry")).rows;
    const into = restoreTo({ adminUrl, heads: place.heads, file }, { directory: join(place.directory, "over") });
    await expect(into).rejects.toMatchObject({ code: "database_not_empty" });
    expect((await place.house.admin.query("select count(*) from countersign.entry")).rows).toEqual(before);
  });

  it("holds one moment, with decisions, seals and approvals going on", async () => {
    const { house } = place;
    const busy = { isOver: false, made: 0 };
    const writing = (async () => {
      while (!busy.isOver) {
        await house.decide({ changes: [house.add(`busy-${busy.made}`)] });
        busy.made += 1;
        await seal(house, place.heads);
      }
    })();
    const during = join(place.directory, "during.backup");
    await expect.poll(() => busy.made, { timeout: 60_000 }).toBeGreaterThan(1);
    await backUp(place, during);
    const made = busy.made;
    await expect.poll(() => busy.made, { timeout: 60_000 }).toBeGreaterThan(made);
    busy.isOver = true;
    await writing;
    const heads = join(place.directory, "heads-during");
    await restoreTo({ adminUrl: target.adminUrl, heads, file: during }, { directory: join(place.directory, "during") });
    expect(await verify({ adminUrl: target.adminUrl, heads }, place)).toMatchObject({ broken: null });
  });
});
