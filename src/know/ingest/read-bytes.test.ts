import { appendFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readBytes, stampOf } from "./read-bytes.ts";

let root: string;
let outside: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "countersign-read-")));
  outside = await realpath(await mkdtemp(join(tmpdir(), "countersign-other-")));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
  await rm(outside, { recursive: true, force: true });
});
const place = (name: string) => join(root, name);

describe("a file's bytes", () => {
  test("come whole with their hash, and a stamp that any write changes", async () => {
    await writeFile(place("a"), "abc");
    const read = await readBytes(root, { place: place("a") });
    expect(read).toMatchObject({ hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" });
    expect(await stampOf(place("a"))).toBe(read.stamp);
    await writeFile(place("a"), "abd");
    expect(await stampOf(place("a"))).not.toBe(read.stamp);
  });

  test("are not read while somebody writes them", async () => {
    await writeFile(place("log"), Buffer.alloc(48 * 1024 * 1024, "x"));
    const writing = setInterval(() => appendFileSync(place("log"), "y"), 1);
    try {
      await expect(readBytes(root, { place: place("log") })).rejects.toMatchObject({ fault: "changing" });
    } finally {
      clearInterval(writing);
    }
  });

  test("are not those of a link that was put in their place, nor behind a folder that became one", async () => {
    await writeFile(join(outside, "a"), "secret");
    await symlink(join(outside, "a"), place("a"));
    await expect(readBytes(root, { place: place("a") })).rejects.toMatchObject({ code: "ELOOP" });
    await mkdir(place("sub"));
    await rename(place("sub"), place("old"));
    await symlink(outside, place("sub"));
    await expect(readBytes(root, { place: join(root, "sub", "a") })).rejects.toMatchObject({ fault: "outside" });
  });

  test("are refused where there are too many, before any is read", async () => {
    await writeFile(place("big"), "12345");
    await expect(readBytes(root, { place: place("big") }, 4)).rejects.toMatchObject({ fault: "too_large" });
  });
});
