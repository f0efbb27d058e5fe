import { chmod, chown, mkdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startEmbedded, stopEmbedded } from "../../src/store/embedded.ts";
import { freshProject } from "./embedded/project.ts";
import { pidOf, query, uidOf } from "./embedded/server.ts";
import { startInChild } from "./embedded/starter.ts";

const project = freshProject();

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

describe.runIf(isRoot)("for root", () => {
  it("runs as the owner of the data when an unprivileged user made it", async () => {
    await mkdir(project.directory);
    await chmod(project.root, 0o755);
    await chown(project.directory, nobody.uid, nobody.gid);
    expect(await startInChild(project.directory, nobody)).toMatchObject({ adopted: false });
    expect((await stat(join(project.directory, "postgres"))).uid).toBe(nobody.uid);
    process.kill(await pidOf(project.directory), "SIGKILL");
    expect(await startInChild(project.directory, nobody)).toMatchObject({ adopted: false });
    expect(await startInChild(project.directory, nobody)).toMatchObject({ adopted: true });
    expect(await stopEmbedded(project)).toMatchObject({ kind: "stopped" });
    const server = await startEmbedded(project);
    expect(await uidOf(await pidOf(project.directory))).toBe(nobody.uid);
    expect(await query(server.adminUrl, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("tells an unprivileged user that the data is somebody else's", async () => {
    await chmod(project.root, 0o755);
    await startEmbedded(project);
    await stopEmbedded(project);
    await chmod(project.directory, 0o777);
    await chmod(join(project.directory, "postgres.lock"), 0o777);
    await expect(startInChild(project.directory, nobody)).rejects.toThrow("database_start_failed");
  });

  it("runs as an unprivileged user, in place, where user namespaces are not to be had", async () => {
    await chmod(project.root, 0o755);
    const path = await pathWithoutUnshare();
    const server = await startInChild(project.directory, { path });
    expect(server.dataDirectory).toBe(join(project.directory, "postgres"));
    expect(await uidOf(await pidOf(project.directory))).toBeGreaterThan(0);
  });

  it("keeps the data where that user can reach it when the project's folder is closed to others", async () => {
    const path = await pathWithoutUnshare();
    await mkdir(project.directory, { mode: 0o700 });
    const server = await startInChild(project.directory, { path });
    expect(server.dataDirectory).toMatch(/^\/var\/lib\/countersign\/[0-9a-f]{16}\/postgres$/);
    try {
      process.kill(await pidOf(project.directory), "SIGKILL");
      expect(await startEmbedded(project)).toMatchObject({ adopted: false, dataDirectory: server.dataDirectory });
      expect(await startInChild(project.directory, { path })).toMatchObject({ adopted: true });
      await stopEmbedded(project);
    } finally {
      await rm(join(server.dataDirectory, ".."), { recursive: true, force: true });
    }
  });
});

/** A search path with the programs that are needed, except the one that makes user namespaces. */
async function pathWithoutUnshare(): Promise<string> {
  const folder = join(project.root, "bin");
  await mkdir(folder);
  await symlink("/usr/bin/id", join(folder, "id"));
  return folder;
}
